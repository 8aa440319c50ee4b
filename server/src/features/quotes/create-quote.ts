import { reply } from '../../infra/http/reply.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { LaneCaller } from '../../infra/lane-command.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Book } from '../../ledger/book.ts'
import type { Decided, LaneKind } from '../../ledger/lane.ts'
import type { Id } from '../../kernel/ids.ts'
import { insertAddresses, type FundingDraft } from '../internal-accounts/index.ts'
import { addDailyVolume, checkDailyVolume, writeVolumes } from '../rates/index.ts'
import { writeChallenge, type ChallengeMaker, type IssuedChallenge } from '../sca/index.ts'
import {
  acceptPayment,
  deliveryKeysOf,
  heldKeysOf,
  insertTransactions,
  emitOutgoing,
  type Transaction,
} from '../transactions/index.ts'
import { insertPayerData } from '../uma/index.ts'
import { requestAuthorization } from './request-authorization.ts'
import { buildQuote, type BuiltQuote } from './build-quote.ts'
import { expireQuoteJob } from './expire-quote.ts'
import { loadPayerChecks } from './load-payer-checks.ts'
import type { PayerCheck } from './payer-check.ts'
import { chooseQuoteFactor, needsProof } from './quote-sca.ts'
import {
  loadQuoteContexts,
  type QuotedCommand,
  type QuoteCommand,
  type QuoteContext,
} from './quote-context.ts'
import { transactionIdOf, type Quote } from './quote.ts'
import { insertQuotes } from './store.ts'
import { quoteToWire } from './wire.ts'

export type NewQuote = Readonly<{
  platformId: Id<'platform'>
  quote: Quote
  /** The quote's own first; then what a receiver inside sees of it. */
  transactions: readonly Transaction[]
  addresses: FundingDraft['addresses']
  /** What its customer is asked first. */
  issued?: IssuedChallenge
}>

/** What an order needs, with the check of a payer who has to prove it now. */
type CheckedQuoting = QuoteContext & Readonly<{ check: PayerCheck | undefined }>

/**
 * Makes a quote and its transaction; told to execute immediately, in the same step also moves the money, and where
 * that is refused nothing remains (QUOTE-10, QUOTE-16).
 * Fails: as buildQuote; immediately also DAILY_VOLUME_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE.
 */
export const createQuote: LaneKind<QuoteCommand, CheckedQuoting, NewQuote> = {
  name: 'createQuote',
  load: loadOrders,
  keys: ({ platform }, { isImmediate, platformFee }, { paying, receiving, terms, check }) => {
    if (!isImmediate || !paying || !receiving || !terms) return []
    const { fixed, bps } = platformFee ?? terms.terms.platformFee
    const feeAccountId = fixed + bps > 0n ? terms.platformAccountId : undefined
    const ends = { platformId: platform.id, paying, receiving, feeAccountId }
    return [...deliveryKeysOf(ends), ...(check ? heldKeysOf(ends) : [])]
  },
  decide(caller, order, quoting, book) {
    const { quote, payment, terms } = buildQuote(caller, order, quoting)
    const { platformId, transaction } = payment
    const addresses = quoting.funding?.addresses ?? []
    const { check } = quoting
    if (isMovedNow(order) && needsProof(check, { ...payment, now: caller.now })) {
      return decideProof({ caller, order, book }, { quote, payment, terms, check, addresses })
    }
    emitOutgoing(caller, transaction)
    // Nobody is asked yet, but a factor that cannot be is refused already.
    if (check && !isMovedNow(order)) chooseQuoteFactor(check.payer.sca, order.scaFactor)
    if (!order.isImmediate) {
      expireLater(caller, quote)
      const row = { platformId, quote, transactions: [transaction], addresses }
      return { reply: reply(201, quoteToWire({ quote, transaction }, caller.now)), row }
    }
    const debit = { ...terms, sending: transaction.sent, now: caller.now }
    checkDailyVolume(book, debit)
    const counted = { ...payment, transaction: { ...transaction, volumeDay: terms.corridor.day } }
    const accepted = acceptPayment(
      { eventContext: caller, payment: counted, book },
      { kind: 'quote' },
    )
    addDailyVolume(book, debit)
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
    for (const { platformId, issued } of rows) if (issued) writeChallenge(tx, platformId, issued)
    for (const { platformId, quote } of rows) {
      const { id, sealedPayerData } = quote
      if (sealedPayerData)
        insertPayerData(tx, platformId, {
          transactionId: transactionIdOf(id),
          sealed: sealedPayerData,
        })
    }
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

/** Whether the order moves money, or asks somebody to send some, as it is made. */
const isMovedNow = ({ isImmediate, source }: QuoteCommand): boolean =>
  isImmediate || source.sourceType === 'REALTIME_FUNDING'

/** Most orders need no check: their customers are asked when the quote is executed. */
async function loadOrders(tx: Tx, orders: readonly QuotedCommand[]): Promise<CheckedQuoting[]> {
  const quotings = await loadQuoteContexts(tx, orders)
  const checks = await loadPayerChecks(
    tx,
    orders.map(({ platform, input }, index) => {
      const { paying, receiving } = quotings[index] as QuoteContext
      const isWanted = isMovedNow(input) || input.scaFactor !== undefined
      if (!isWanted || !paying || !receiving) return undefined
      return { platform, keyring: input.challenges.keyring, paying, receiving }
    }),
  )
  return quotings.map((quoting, index) => ({ ...quoting, check: checks[index] }))
}

type Deciding = Readonly<{
  caller: LaneCaller & Pick<ChallengeMaker, 'outbox'>
  order: QuoteCommand
  book: Book
}>

type Proven = BuiltQuote & Readonly<{ check: PayerCheck; addresses: FundingDraft['addresses'] }>

/** SCA-42: the customer is asked first; money of an account is held, just-in-time funds may not come yet. */
function decideProof(
  { caller, order, book }: Deciding,
  { quote, payment, terms, check, addresses }: Proven,
): Decided<NewQuote> {
  // Its first event is of a payment that is PENDING like any other; where to pay waits for the proof all the same.
  emitOutgoing(caller, { ...payment.transaction, paymentInstructions: null })
  const debit = { ...terms, sending: payment.transaction.sent, now: caller.now }
  if (order.isImmediate) checkDailyVolume(book, debit)
  const volumeDay = order.isImmediate ? terms.corridor.day : null
  const counted = { ...payment, transaction: { ...payment.transaction, volumeDay } }
  const { scaFactor, challenges: service } = order
  const context = { eventContext: caller, payment: counted, book }
  const asked = requestAuthorization(context, { caller, quote, check, scaFactor, service })
  if (order.isImmediate) addDailyVolume(book, debit)
  const { platformId, transaction, issued } = asked.row
  return {
    reply: reply(202, asked.body),
    row: { platformId, quote, transactions: [transaction], addresses, issued },
  }
}

function expireLater(
  caller: LaneCaller & Parameters<typeof enqueue>[0],
  { id, expiresAt }: Quote,
): void {
  enqueue(caller, expireQuoteJob, { quoteId: id }, { dueAt: expiresAt, key: id })
}
