import { errorOf, fail, mustPass } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { reply } from '../../../infra/http/reply.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { LaneKind } from '../../../ledger/lane.ts'
import { writeVolumes } from '../../rates/index.ts'
import { lockScaPayers, type ScaPayer } from '../../sca/index.ts'
import { currentTransaction, deliveryKeysOf, moveMoney, pullRailOf } from '../../payments/index.ts'
import { fundingRouteOf } from './funding-route.ts'
import {
  outgoingToWire,
  reportedArrival,
  type Arrival,
  type ArrivalReport,
  type OutgoingTransaction,
} from '../../transactions/index.ts'
import type { OutgoingFailureReason } from '../../../kernel/failure-reasons.ts'
import { saveExecuted, type ExecutedQuote } from '../execution/execute-quote.ts'
import { scaPayerIdOf } from '../authorization/payer-check.ts'
import { mustNeedNoProof } from '../../payment-terms/index.ts'
import { quoteStatusOf } from '../record/quote.ts'
import { fundingRefusal, isRateAvailable } from '../record/rules.ts'
import {
  loadQuotes,
  mustStillBePayable,
  type QuoteReference,
  type LoadedQuote,
} from '../record/loaded-quote.ts'

export type FundInput = Readonly<{
  quoteId: Id<'quote'> | undefined
  currency: string
  /** Undefined for exactly the amount of the quote. */
  amount: bigint | undefined
  /** How the funds arrived; the sandbox makes it up. */
  report?: ArrivalReport
}>

/** A quote whose funds have arrived. */
export type FundedQuote = LoadedQuote &
  Readonly<{
    /** The customer whose proof the execution would need, where an external account pays. */
    scaPayer: ScaPayer | undefined
  }>

/**
 * Takes funds that have arrived for a quote: just in time, or pushed by the owner of its external account. The exact
 * amount executes it. Another amount, or a check that fails now, fails the quote and refunds the money (QUOTE-19,
 * LIM-5).
 * Fails: QUOTE_NOT_FOUND, INVALID_INPUT on a quote that an internal account funds, INVALID_CURRENCY, QUOTE_EXPIRED,
 * CONFLICT.
 */
export const fundQuote: LaneKind<
  FundInput,
  FundedQuote | undefined,
  ExecutedQuote,
  ReturnType<typeof outgoingToWire>
> = {
  name: 'fundQuote',
  load: loadFundedQuotes,
  keys: (_caller, _input, loaded) => (loaded ? deliveryKeysOf(loaded.payment) : []),
  decide(caller, input, found, batch) {
    const loaded = found ?? failNotFound('quote')
    const before = currentTransaction(batch.state, loaded.payment)
    mustTakeFunds(caller, input, loaded, before)
    const money = { amount: input.amount ?? before.sent.amount, currency: input.currency }
    const isExact = money.amount === before.sent.amount
    const problem = isExact ? problemWith(caller, loaded) : 'FUNDING_AMOUNT_MISMATCH'
    const { via, source } = arrivalOf(input, loaded, before)
    const payment = { ...loaded.payment, transaction: { ...before, source } }
    const moved = moveMoney(
      { eventContext: caller, payment, batch },
      { kind: 'quote', terms: loaded.terms, funds: { via, money, problem } },
    )
    const { platformId } = payment
    return {
      reply: {
        ...reply(200, outgoingToWire(platformId, moved.accepted)),
        isWorkDue: moved.isDueNow,
      },
      row: { platformId, ...moved },
    }
  },
  save: saveExecuted,
  saveTogether: writeVolumes,
}

/** The owner of an external account may owe a proof; just-in-time quotes were proven before their funds could come. */
async function loadFundedQuotes(
  tx: Tx,
  commands: readonly QuoteReference[],
): Promise<(FundedQuote | undefined)[]> {
  const loaded = await loadQuotes(tx, commands)
  const keys = loaded.map((one) => {
    const customerId =
      one?.payment.paying.kind === 'external' ? scaPayerIdOf(one.payment) : undefined
    return one && customerId && { platformId: one.payment.platformId, customerId }
  })
  const payerOf = await lockScaPayers(
    tx,
    keys.flatMap((key) => key ?? []),
  )
  return loaded.map((one, index) => {
    const key = keys[index]
    return one && { ...one, scaPayer: key && payerOf(key) }
  })
}

/** How the funds came: as reported, over the rail of the paying account, or as the sandbox makes it up. */
function arrivalOf(
  { report }: FundInput,
  { payment: { paying } }: LoadedQuote,
  transaction: OutgoingTransaction,
): Arrival {
  const { source } = transaction
  if (report) return reportedArrival(report, source)
  return paying.kind === 'external'
    ? { via: pullRailOf(paying), source }
    : fundingRouteOf(transaction)
}

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
  mustPass(fundingRefusal(state, now))
  mustNeedNoProof(scaPayer, { ...payment, now })
}

/** Why funds that have arrived do not execute their quote. It is too late to refuse them, so they are refunded. */
function problemWith(
  { platform }: LaneCaller,
  loaded: LoadedQuote,
): OutgoingFailureReason | undefined {
  if (!isRateAvailable(loaded.terms, loaded.payment.transaction)) return 'QUOTE_RATE_UNAVAILABLE'
  const error = errorOf(() => mustStillBePayable(platform, loaded))
  return error && 'QUOTE_EXECUTION_FAILED'
}
