import { Type } from '../../../infra/http/schema/type.ts'
import { idField, MoneySchema, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { moneyToWire } from '../../../kernel/money/wire-money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { listJournalLines } from '../../../ledger/reports/list-journal-lines.ts'
import { findCardTransaction } from '../../../features/cards/index.ts'
import { QuoteSchema, quoteToWire, readQuote } from '../../../features/quotes/index.ts'
import {
  listedToWire,
  TransactionSchema,
  type ListedTransaction,
} from '../../../features/transactions/index.ts'
import { defineCommand, onlyArg, record } from '../../command.ts'
import { EventNearSchema, eventsNear } from '../../queries/events-near.ts'
import { readInPlatform } from '../../in-platform.ts'
import { listTransactions, mustFindTransaction } from '../lists/list-transactions.ts'

const ShownSchema = record({
  platformId: idField('platform'),
  transaction: TransactionSchema,
  paymentReference: Type.Optional(Type.String()),
  quote: Type.Optional(QuoteSchema),
  journals: Type.Array(
    record({
      journalId: Type.String(),
      type: Type.String(),
      at: timestamp(),
      account: Type.String(),
      amount: MoneySchema,
      balanceAfter: Type.Optional(MoneySchema),
    }),
  ),
  events: Type.Array(EventNearSchema),
})

/** Its steps are booked under its own id; those of a card's under numbers behind it. */
async function referencesOf({ tx, platform }: Work, row: ListedTransaction): Promise<string[]> {
  if (row.type !== 'CARD') return [row.id]
  const steps = (await findCardTransaction(tx, platform.id, row.id))?.messageCount ?? 0
  return Array.from({ length: steps + 1 }, (_, step) => `${row.id}/${step}`)
}

async function journalsOf(work: Work, row: ListedTransaction) {
  const references = await referencesOf(work, row)
  const lines = await listJournalLines(work.tx, work.platform.id, references)
  return lines.map(({ journalId, type, at, account, currency, amount, balanceAfter }) => ({
    journalId,
    type,
    at: toWireTime(at),
    account,
    amount: moneyToWire({ amount, currency }),
    ...(balanceAfter !== null && { balanceAfter: moneyToWire({ amount: balanceAfter, currency }) }),
  }))
}

function eventsOf(work: Work, row: ListedTransaction) {
  const { id, updatedAt } = row
  if (row.type === 'CARD') {
    const resourceIds = [formatId('cardTransaction', row.id)]
    return eventsNear(work, { resourceIds, ids: [id], times: [updatedAt] })
  }
  const { refund, settledAt, createdAt } = row
  const times = [createdAt, settledAt, refund?.initiatedAt, refund?.settledAt, updatedAt]
  return eventsNear(work, { resourceIds: [formatId('transaction', row.id)], ids: [id], times })
}

async function quoteOf(work: Work, row: ListedTransaction) {
  if (row.type === 'CARD' || row.quoteId === null) return undefined
  return quoteToWire(await readQuote(work, row.quoteId), work.now)
}

const show = defineCommand({
  name: 'transactions show',
  access: { roles: ['VIEWER'] },
  about:
    'A transaction as the API shows it, with its quote, what was booked for it, and what the platform was told.',
  takes: ['id'],
  answers: ShownSchema,
  async run(deps, input) {
    const { platformId, transaction } = await mustFindTransaction(deps, onlyArg(input, 'id'))
    return readInPlatform(deps, platformId, async (work) => {
      const isCard = transaction.type === 'CARD'
      const paymentReference = isCard ? undefined : (transaction.paymentReference ?? undefined)
      return {
        platformId: formatId('platform', platformId),
        transaction: listedToWire(platformId, transaction),
        paymentReference,
        quote: await quoteOf(work, transaction),
        journals: await journalsOf(work, transaction),
        events: await eventsOf(work, transaction),
      }
    })
  },
})

export const transactionCommands = { list: listTransactions, show }
