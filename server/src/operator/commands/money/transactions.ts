import { Type } from '../../../infra/http/schema/type.ts'
import { idField, MoneySchema, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { addMs, toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, parseId, type Id } from '../../../kernel/ids.ts'
import { moneyToWire } from '../../../kernel/money/wire-money.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { listJournalLines } from '../../../ledger/reports/list-journal-lines.ts'
import { findCardTransaction } from '../../../features/cards/index.ts'
import { QuoteSchema, quoteToWire, readQuote } from '../../../features/quotes/index.ts'
import { findPlatformOfTransaction } from '../../../features/settlements/index.ts'
import {
  CARD_TRANSACTION_STATUSES,
  findTransaction,
  listedToWire,
  listTransactionsOfAll,
  TRANSACTION_STATUSES,
  TransactionSchema,
  type ListedTransaction,
} from '../../../features/transactions/index.ts'
import { choiceOf, defineCommand, onlyWord, record, type Given } from '../../command.ts'
import {
  AMOUNT_OPTIONS,
  amountRangeOf,
  customerIn,
  PERIOD_OPTIONS,
  periodOf,
  RAIL_OPTION,
  railOf,
} from '../../queries/list-filters.ts'
import { nameParties, partiesOfListed } from '../../queries/parties/party-names.ts'
import { EventNearSchema, eventsNear } from '../../queries/events-near.ts'
import { readInPlatform } from '../../in-platform.ts'
import { limitOf } from '../service/service.ts'
import { shownPlatforms, visibleOwner } from '../../access/visible-platforms.ts'

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

const STATUSES = [...new Set([...TRANSACTION_STATUSES, ...CARD_TRANSACTION_STATUSES])]
const TYPES = ['INCOMING', 'OUTGOING', 'CARD'] as const

type Found = Readonly<{ platformId: Id<'platform'>; transaction: ListedTransaction }>

/** By its own id, by its card's kind of id, or by the id of its quote, with which it shares the uuid. */
async function mustFind(deps: Pick<Deps, 'db' | 'operator'>, text: string): Promise<Found> {
  const id =
    parseId('transaction', text) ??
    parseId('cardTransaction', text) ??
    parseId('quote', text) ??
    failNotFound('transaction')
  const owner = await visibleOwner(
    deps,
    findPlatformOfTransaction(deps.db.read, id as string as Id<'transaction'>),
  )
  const transaction = owner && (await findTransaction(deps.db.read, owner, id))
  const isMeant = (transaction?.type === 'CARD') === text.startsWith('CardTransaction:')
  if (!owner || !transaction || !isMeant) return failNotFound('transaction')
  return { platformId: owner, transaction }
}

async function placeBefore(
  deps: Deps,
  given: Given,
): Promise<readonly [string, string] | undefined> {
  const before = given.text('before')
  if (before === undefined) return undefined
  const { transaction } = await mustFind(deps, before)
  return [toWireTime(transaction.createdAt), transaction.id]
}

const LINE = {
  platformId: idField('platform'),
  payer: Type.Optional(Type.String()),
  payee: Type.Optional(Type.String()),
}

const list = defineCommand({
  name: 'transactions list',
  access: { roles: ['VIEWER'] },
  about: 'Transactions of one platform or of all, newest first; declined ones only if asked for.',
  options: {
    platform: { about: 'Only of this platform.', value: 'ID' },
    status: { about: 'Only with this status.', value: 'NAME' },
    type: { about: 'INCOMING, OUTGOING or CARD.', value: 'NAME' },
    customer: { about: 'Only of this customer.', value: 'ID' },
    ...PERIOD_OPTIONS,
    ...AMOUNT_OPTIONS,
    ...RAIL_OPTION,
    before: { about: 'Only what is older than this transaction.', value: 'ID' },
    limit: { about: 'At most this many (default 50).', value: 'N' },
  },
  answers: Type.Array(Type.Intersect([Type.Object(LINE), TransactionSchema])),
  async run(deps, given) {
    const { since, until } = periodOf(given)
    const filters = {
      status: choiceOf(given, 'status', STATUSES),
      type: choiceOf(given, 'type', TYPES),
      customerId: customerIn(given),
      startAt: since,
      // The last millisecond of the period: the filter has both ends.
      endAt: until && addMs(until, -1),
      amount: amountRangeOf(given),
      rail: railOf(given),
    }
    const found = await listTransactionsOfAll(deps.db.read, shownPlatforms(deps, given), {
      filters,
      after: await placeBefore(deps, given),
      fetch: limitOf(given),
    })
    const names = await nameParties(
      deps.db.read,
      found.map(({ platformId, transaction }) => partiesOfListed(platformId, transaction)),
    )
    return found.map(({ platformId, transaction }, index) => ({
      platformId: formatId('platform', platformId),
      ...names[index],
      ...listedToWire(platformId, transaction),
    }))
  },
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
  async run(deps, given) {
    const { platformId, transaction } = await mustFind(deps, onlyWord(given, 'id'))
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

export const transactionCommands = { list, show }
