import { ApiError, fail, refusalToError } from '../../kernel/errors.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import { reply } from '../../infra/http/reply.ts'
import type { LaneCaller } from '../../infra/lane-command.ts'
import type { Book } from '../../ledger/book.ts'
import type { LaneKind } from '../../ledger/lane.ts'
import { mustBeAbleToPay } from '../customers/index.ts'
import { countVolume, volumeRefusalOf, writeVolumes } from '../rates/index.ts'
import {
  acceptPayment,
  deliveryKeysOf,
  failedAtOnce,
  fundingRouteOf,
  mustBeUsable,
  outgoingToWire,
  reportedArrival,
  type ArrivalReport,
  type OutgoingFailureReason,
  type OutgoingTransaction,
} from '../transactions/index.ts'
import { saveExecuted, type ExecutedQuote } from './execute-quote.ts'
import { quoteStatusOf } from './quote.ts'
import { fundingRefusal, isRateAvailable } from './rules.ts'
import {
  loadStandingQuotes,
  noteTransaction,
  transactionNow,
  type StandingQuote,
} from './standing-quote.ts'

export type FundInput = Readonly<{
  quoteId: Id<'quote'> | undefined
  currency: string
  /** Undefined: exactly what the quote asks for. */
  amount: bigint | undefined
  /** How they came; in the sandbox it is made up. */
  report?: ArrivalReport
}>

/**
 * Funds for a quote have arrived. The exact amount executes it; another amount, or whatever stands against executing
 * it now, fails it and gives the money back (QUOTE-19, LIM-5).
 * Fails: QUOTE_NOT_FOUND, INVALID_INPUT on a quote that an account funds, INVALID_CURRENCY, QUOTE_EXPIRED, CONFLICT.
 */
export const fundQuote: LaneKind<FundInput, StandingQuote | undefined, ExecutedQuote> = {
  name: 'fundQuote',
  load: loadStandingQuotes,
  keys: (_caller, _input, standing) => (standing ? deliveryKeysOf(standing.payment) : []),
  decide(caller, input, found, book) {
    const standing = found ?? failNotFound('quote')
    const before = transactionNow(book, standing)
    mustTakeFunds(caller, input, standing, before)
    const money = { amount: input.amount ?? before.sent.amount, currency: input.currency }
    const problem = problemWith(caller, book, {
      standing,
      isExact: money.amount === before.sent.amount,
    })
    const { via, source } = input.report
      ? reportedArrival(input.report, before.source)
      : fundingRouteOf(before)
    const { corridor } = standing.terms
    const countedOn = problem ? null : corridor.day
    const payment = { ...standing.payment, transaction: { ...before, source, countedOn } }
    const accepted = acceptPayment(
      { teller: caller, payment, book },
      {
        kind: 'quote',
        funds: { via, money },
        ...(problem && { steps: failedAtOnce(problem) }),
      },
    )
    if (!problem) countVolume(book, debitOf(caller, standing))
    noteTransaction(book, accepted.transaction)
    const { platformId } = payment
    return {
      reply: {
        ...reply(200, outgoingToWire(platformId, accepted.accepted)),
        isWorkDue: accepted.isDueNow,
      },
      row: { platformId, ...accepted },
    }
  },
  save: saveExecuted,
  saveTogether: writeVolumes,
}

const debitOf = ({ now }: LaneCaller, { terms, payment }: StandingQuote) => ({
  ...terms,
  sending: payment.transaction.sent,
  now,
})

function mustTakeFunds(
  { now }: LaneCaller,
  { currency }: FundInput,
  { quote }: StandingQuote,
  { status, sent, approvalActionId: awaitedActionId }: OutgoingTransaction,
): void {
  const { expiresAt, source } = quote
  const isRealtimeFunding = source.sourceType === 'REALTIME_FUNDING'
  const state = { status: quoteStatusOf(status), expiresAt, isRealtimeFunding, awaitedActionId }
  if (isRealtimeFunding && currency !== sent.currency) {
    fail('INVALID_CURRENCY', { currency: sent.currency })
  }
  const refusal = fundingRefusal(state, now)
  if (refusal) throw refusalToError(refusal)
}

type Arrival = Readonly<{ standing: StandingQuote; isExact: boolean }>

/** Why funds that are here do not execute their quote. They cannot be refused any more, only given back. */
function problemWith(
  caller: LaneCaller,
  book: Book,
  { standing, isExact }: Arrival,
): OutgoingFailureReason | undefined {
  if (!isExact) return 'FUNDING_AMOUNT_MISMATCH'
  const { payment, payer, terms } = standing
  const { received } = payment.transaction
  if (!isRateAvailable(terms, payment.transaction)) return 'QUOTE_RATE_UNAVAILABLE'
  const isBarred = isRefused(() => {
    if (payer) mustBeAbleToPay(caller.platform, payer)
    if (received) mustBeUsable(payment, { received, prices: terms.prices })
  })
  if (isBarred) return 'QUOTE_EXECUTION_FAILED'
  return volumeRefusalOf(book, debitOf(caller, standing)) ? 'LIMIT_EXCEEDED' : undefined
}

function isRefused(check: () => void): boolean {
  try {
    check()
    return false
  } catch (error) {
    if (error instanceof ApiError) return true
    throw error
  }
}
