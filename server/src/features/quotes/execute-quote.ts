import { refusalToError } from '../../kernel/errors.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import { reply } from '../../infra/http/reply.ts'
import { dropJobs } from '../../infra/jobs/drop-jobs.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { LaneCaller } from '../../infra/lane-command.ts'
import type { LaneKind } from '../../ledger/lane.ts'
import { mustBeAbleToPay } from '../customers/index.ts'
import { countVolume, mustFitVolume, writeVolumes } from '../rates/index.ts'
import {
  acceptPayment,
  deliveryKeysOf,
  insertTransactions,
  mustBeUsable,
  saveTransactions,
  type IncomingTransaction,
  type OutgoingTransaction,
} from '../transactions/index.ts'
import { EXPIRE_JOB } from './expire-quote.ts'
import { quoteStatusOf } from './quote.ts'
import { executionRefusal } from './rules.ts'
import {
  loadStandingQuotes,
  noteTransaction,
  transactionNow,
  type StandingQuote,
} from './standing-quote.ts'
import { quoteToWire } from './wire.ts'

export type ExecuteInput = Readonly<{
  /** Undefined where what was asked for is no id of a quote: found nowhere. */
  quoteId: Id<'quote'> | undefined
}>

export type ExecutedQuote = Readonly<{
  platformId: Id<'platform'>
  transaction: OutgoingTransaction
  received: readonly IncomingTransaction[]
}>

/**
 * Moves the money of a quote at the price it has (QUOTE-12 to QUOTE-15). A refusal leaves the quote as it was.
 * Fails: QUOTE_NOT_FOUND, INVALID_INPUT, QUOTE_EXPIRED, CONFLICT, USER_NOT_FOUND, USER_NOT_READY,
 * END_USER_TERMS_NOT_ACCEPTED, INVALID_BANK_ACCOUNT, EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED,
 * DAILY_VOLUME_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE.
 */
export const executeQuote: LaneKind<ExecuteInput, StandingQuote | undefined, ExecutedQuote> = {
  name: 'executeQuote',
  load: loadStandingQuotes,
  keys: (_caller, _input, standing) => (standing ? deliveryKeysOf(standing.payment) : []),
  decide(caller, _input, found, book) {
    const standing = found ?? failNotFound('quote')
    const { quote, payment, terms } = standing
    const transaction = transactionNow(book, standing)
    mustBeExecutable(caller, standing, transaction)
    const debit = { ...terms, sending: transaction.sent, now: caller.now }
    mustFitVolume(book, debit)
    const counted = { ...payment, transaction: { ...transaction, countedOn: terms.corridor.day } }
    const accepted = acceptPayment({ teller: caller, payment: counted, book }, { kind: 'quote' })
    countVolume(book, debit)
    noteTransaction(book, accepted.transaction)
    const answered = quoteToWire({ quote, transaction: accepted.accepted }, caller.now)
    return {
      reply: { ...reply(200, answered), isWorkDue: accepted.isDueNow },
      row: { platformId: payment.platformId, ...accepted },
    }
  },
  save: saveExecuted,
  saveTogether: writeVolumes,
}

function mustBeExecutable(
  { platform, now }: LaneCaller,
  { quote, payment, payer, terms }: StandingQuote,
  { status, received }: OutgoingTransaction,
): void {
  const { expiresAt, source } = quote
  const isRealtimeFunding = source.sourceType === 'REALTIME_FUNDING'
  const refusal = executionRefusal(
    { status: quoteStatusOf(status), expiresAt, isRealtimeFunding },
    now,
  )
  if (refusal) throw refusalToError(refusal)
  if (payer) mustBeAbleToPay(platform, payer)
  if (received) mustBeUsable(payment, { received, prices: terms.prices })
}

/** What became of the transactions of quotes, and nothing left to expire. */
export function saveExecuted(tx: Tx, rows: readonly ExecutedQuote[]): void {
  saveTransactions(tx, rows)
  const received = rows.flatMap(({ platformId, received }) =>
    received.map((transaction) => ({ platformId, transaction })),
  )
  if (received.length > 0) insertTransactions(tx, received)
  dropJobs(
    tx,
    EXPIRE_JOB,
    rows.map(({ platformId, transaction }) => ({ platformId, key: transaction.id })),
  )
}
