import { reply } from '../../infra/http/reply.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { LaneCaller } from '../../infra/lane-command.ts'
import type { LaneKind } from '../../ledger/lane.ts'
import type { Id } from '../../kernel/ids.ts'
import { insertAddresses, type FundingDraft } from '../internal-accounts/index.ts'
import { countVolume, mustFitVolume, writeVolumes } from '../rates/index.ts'
import {
  acceptPayment,
  deliveryKeysOf,
  insertTransactions,
  tellOutgoing,
  type Transaction,
} from '../transactions/index.ts'
import { drawQuote } from './draw-quote.ts'
import { EXPIRE_JOB } from './expire-quote.ts'
import { loadQuotings, type QuoteOrder, type Quoting } from './quoting.ts'
import type { Quote } from './quote.ts'
import { insertQuotes } from './store.ts'
import { quoteToWire } from './wire.ts'

export type NewQuote = Readonly<{
  platformId: Id<'platform'>
  quote: Quote
  /** The quote's own first; then what a receiver inside sees of it. */
  transactions: readonly Transaction[]
  addresses: FundingDraft['addresses']
}>

/**
 * Makes a quote and its transaction; told to execute immediately, in the same step also moves the money, and where
 * that is refused nothing remains (QUOTE-10, QUOTE-16).
 * Fails: as drawQuote; immediately also DAILY_VOLUME_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE.
 */
export const createQuote: LaneKind<QuoteOrder, Quoting, NewQuote> = {
  name: 'createQuote',
  load: loadQuotings,
  keys: ({ platform }, { isImmediate, platformFee }, { paying, receiving, terms }) => {
    if (!isImmediate || !paying || !receiving || !terms) return []
    const { fixed, bps } = platformFee ?? terms.terms.platformFee
    const feeAccountId = fixed + bps > 0n ? terms.platformAccountId : undefined
    return deliveryKeysOf({ platformId: platform.id, paying, receiving, feeAccountId })
  },
  decide(caller, order, quoting, book) {
    const { quote, payment, terms } = drawQuote(caller, order, quoting)
    const { platformId, transaction } = payment
    tellOutgoing(caller, transaction)
    const addresses = quoting.funding?.addresses ?? []
    if (!order.isImmediate) {
      expireLater(caller, quote)
      const row = { platformId, quote, transactions: [transaction], addresses }
      return { reply: reply(201, quoteToWire({ quote, transaction }, caller.now)), row }
    }
    const debit = { ...terms, sending: transaction.sent, now: caller.now }
    mustFitVolume(book, debit)
    const counted = { ...payment, transaction: { ...transaction, countedOn: terms.corridor.day } }
    const accepted = acceptPayment({ teller: caller, payment: counted, book }, { kind: 'quote' })
    countVolume(book, debit)
    const answered = { quote, transaction: accepted.accepted }
    return {
      reply: {
        ...reply(201, quoteToWire(answered, caller.now)),
        isWorkDue: accepted.isDueNow,
      },
      row: {
        platformId,
        quote,
        transactions: [accepted.transaction, ...accepted.received],
        addresses,
      },
    }
  },
  save(tx, rows) {
    insertTransactions(
      tx,
      rows.flatMap(({ platformId, transactions }) =>
        transactions.map((transaction) => ({ platformId, transaction })),
      ),
    )
    insertQuotes(
      tx,
      rows.map(({ platformId, quote }) => ({ ...quote, platformId })),
    )
    const funded = rows.filter(({ addresses }) => addresses.length > 0)
    for (const [platformId, group] of Map.groupBy(funded, (row) => row.platformId)) {
      insertAddresses(
        tx,
        platformId,
        group.flatMap(({ addresses }) => addresses),
      )
    }
  },
  saveTogether: writeVolumes,
}

function expireLater(
  caller: LaneCaller & Parameters<typeof enqueue>[0],
  { id, expiresAt }: Quote,
): void {
  enqueue(caller, EXPIRE_JOB, { payload: { quoteId: id }, dueAt: expiresAt, key: id })
}
