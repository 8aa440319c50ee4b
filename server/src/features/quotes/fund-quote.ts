import { ApiError, fail, refusalToError } from '../../kernel/errors.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { reply } from '../../infra/http/reply.ts'
import type { LaneCaller } from '../../infra/lane-command.ts'
import type { Book } from '../../ledger/book.ts'
import type { LaneKind } from '../../ledger/lane.ts'
import { countVolume, volumeRefusalOf, writeVolumes } from '../rates/index.ts'
import { lockScaPayers, type ScaPayer } from '../sca/index.ts'
import {
  acceptPayment,
  deliveryKeysOf,
  failedAtOnce,
  fundingRouteOf,
  outgoingToWire,
  pullRailOf,
  reportedArrival,
  type Arrival,
  type ArrivalReport,
  type OutgoingFailureReason,
  type OutgoingTransaction,
} from '../transactions/index.ts'
import { saveExecuted, type ExecutedQuote } from './execute-quote.ts'
import { scaPayerIdOf } from './payer-check.ts'
import { mustNeedNoProof } from './quote-sca.ts'
import { quoteStatusOf } from './quote.ts'
import { fundingRefusal, isRateAvailable } from './rules.ts'
import {
  loadStandingQuotes,
  mustStillBePayable,
  noteTransaction,
  transactionNow,
  type Asked,
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

/** A quote that funds have come for. */
export type FundedQuote = StandingQuote &
  Readonly<{
    /** Whose proof executing it would need, where an external account is its source. */
    scaPayer: ScaPayer | undefined
  }>

/**
 * Funds for a quote have arrived: just-in-time ones, or pushed by the owner of its external account (9.5). The exact amount executes it; another amount, or whatever stands against executing
 * it now, fails it and gives the money back (QUOTE-19, LIM-5).
 * Fails: QUOTE_NOT_FOUND, INVALID_INPUT on a quote that an internal account funds, INVALID_CURRENCY, QUOTE_EXPIRED,
 * CONFLICT.
 */
export const fundQuote: LaneKind<FundInput, FundedQuote | undefined, ExecutedQuote> = {
  name: 'fundQuote',
  load: loadFundedQuotes,
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
    const { via, source } = arrivalOf(input, standing, before)
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

/** The customer behind an external account may have to prove what it executes; just-in-time quotes were proven before. */
async function loadFundedQuotes(
  tx: Tx,
  commands: readonly Asked[],
): Promise<(FundedQuote | undefined)[]> {
  const standing = await loadStandingQuotes(tx, commands)
  const keys = standing.map((one) => {
    const customerId =
      one?.payment.paying.kind === 'external' ? scaPayerIdOf(one.payment) : undefined
    return one && customerId && { platformId: one.payment.platformId, customerId }
  })
  const payerOf = await lockScaPayers(
    tx,
    keys.flatMap((key) => key ?? []),
  )
  return standing.map((one, index) => {
    const key = keys[index]
    return one && { ...one, scaPayer: key && payerOf(key) }
  })
}

/** How the funds came: as reported, pushed over the rail of the account they come from, or as the sandbox plays it. */
function arrivalOf(
  { report }: FundInput,
  { payment: { paying } }: StandingQuote,
  transaction: OutgoingTransaction,
): Arrival {
  const { source } = transaction
  if (report) return reportedArrival(report, source)
  return paying.kind === 'external'
    ? { via: pullRailOf(paying), source }
    : fundingRouteOf(transaction)
}

const debitOf = ({ now }: LaneCaller, { terms, payment }: StandingQuote) => ({
  ...terms,
  sending: payment.transaction.sent,
  now,
})

function mustTakeFunds(
  { now }: LaneCaller,
  { currency }: FundInput,
  { quote: { expiresAt }, payment, scaPayer }: FundedQuote,
  { status, sent, approvalActionId: awaitedActionId }: OutgoingTransaction,
): void {
  const isFundedFromOutside = payment.paying.kind !== 'internal'
  if (isFundedFromOutside && currency !== sent.currency) {
    fail('INVALID_CURRENCY', { currency: sent.currency })
  }
  const state = { status: quoteStatusOf(status), expiresAt, awaitedActionId, isFundedFromOutside }
  const refusal = fundingRefusal(state, now)
  if (refusal) throw refusalToError(refusal)
  mustNeedNoProof(scaPayer, { ...payment, now })
}

type Funding = Readonly<{ standing: StandingQuote; isExact: boolean }>

/** Why funds that are here do not execute their quote. They cannot be refused any more, only given back. */
function problemWith(
  caller: LaneCaller,
  book: Book,
  { standing, isExact }: Funding,
): OutgoingFailureReason | undefined {
  if (!isExact) return 'FUNDING_AMOUNT_MISMATCH'
  const { payment, terms } = standing
  if (!isRateAvailable(terms, payment.transaction)) return 'QUOTE_RATE_UNAVAILABLE'
  const isBarred = isRefused(() => mustStillBePayable(caller.platform, standing))
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
