import { fail, refuse, type Refusal } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { newBatchState } from '../../../ledger/batch.ts'
import { postWith } from '../../../ledger/post.ts'
import {
  availableFactors,
  findOpenChallenge,
  hasSession,
  judgeProof,
  mustBeUnlocked,
  refuseWrongProof,
  resendCode,
  useUpChallenge,
  writeChallenge,
  type Proof,
  type ScaChallenge,
} from '../../sca/index.ts'
import {
  deliveryKeysOf,
  heldKeysOf,
  lockWaiting,
  moveMoney,
  obstacleTo,
  type WaitingPayment,
} from '../../payments/index.ts'
import {
  moveOutgoing,
  saveTransactions,
  type OutgoingTransaction,
} from '../../transactions/index.ts'
import { markAwaitingFailed } from './end-authorization.ts'
import { saveExecuted } from '../execution/execute-quote.ts'
import { expireQuoteJob } from '../execution/expire-quote.ts'
import { loadPayerChecks, type PayerCheck } from './payer-check.ts'
import { askForProof, proofStepsOf } from './proof.ts'
import { loadQuotes, type LoadedQuote } from '../record/loaded-quote.ts'

export type AuthorizedQuote = Readonly<{
  quote: LoadedQuote['quote']
  transaction: OutgoingTransaction
  check: PayerCheck
  /** The next step's, where there is one. */
  challenge: ScaChallenge | undefined
}>

type Awaiting = Readonly<{
  loaded: LoadedQuote
  waiting: WaitingPayment
  check: PayerCheck
  challenge: ScaChallenge
}>

/**
 * Takes the customer's proof of one step. After the last one the money that was held leaves, or just-in-time funds may
 * come (SCA-47). A wrong proof is a failed attempt like a login's: returned with INVALID_INPUT (SCA-49). A payment that
 * cannot go on ends before its proof is looked at: returned with CONFLICT (SCA-56).
 * Fails: QUOTE_NOT_FOUND, CONFLICT, ACCOUNT_LOCKED, SCA_SESSION_REQUIRED, INVALID_INPUT (factor not listed).
 */
export async function authorizeQuote(
  work: Work,
  { quoteId, proof }: { quoteId: Id<'quote'>; proof: Proof },
): Promise<AuthorizedQuote | Refusal> {
  const awaiting = await lockAwaiting(work, quoteId)
  const { loaded, waiting, check, challenge } = awaiting
  const { sca } = check.payer
  mustBeUnlocked(sca, work.now)
  if (!hasSession(sca.security, work.now)) return fail('SCA_SESSION_REQUIRED')
  const stopped = await stopIfBarred(work, loaded, waiting)
  if (stopped) return stopped
  if (!(await judgeProof(work, sca, { challenge, proof }))) return refuseWrongProof(work, sca)
  const { quote } = loaded
  const steps = proofStepsOf(quote, loaded.payment.transaction)
  const next = steps[steps.findIndex((step) => step === challenge.purpose) + 1]
  if (next) return askNext(work, awaiting, next)
  useUpChallenge(work, { purpose: 'PAYOUT', quoteId })
  const isRealtime = quote.source.sourceType === 'REALTIME_FUNDING'
  const transaction = isRealtime ? awaitFunds(work, loaded) : await release(work, loaded)
  return { quote, transaction, check, challenge: undefined }
}

/** SCA-56: the payment's end outlives the refusal, so it is returned; the proof is neither spent nor counted. */
async function stopIfBarred(
  work: Work,
  { quote: { id: quoteId }, payment: { transaction } }: LoadedQuote,
  waiting: WaitingPayment,
): Promise<Refusal | undefined> {
  const obstacle = obstacleTo(work, waiting)
  if (!obstacle) return undefined
  const { reason, failureReason } = obstacle
  await markAwaitingFailed(work, { quoteId, transaction, failureReason })
  return refuse('CONFLICT', { reason, failureReason, quoteStatus: 'FAILED' })
}

/** SCA-53. Fails: QUOTE_NOT_FOUND, CONFLICT, RATE_LIMITED, NOT_IMPLEMENTED. */
export async function resendQuoteCode(work: Work, quoteId: Id<'quote'>): Promise<void> {
  const { check, challenge } = await lockAwaiting(work, quoteId)
  resendCode(work, check.payer.sca, challenge)
}

/** The quote that waits for this proof, with its customer, both locked. Fails: QUOTE_NOT_FOUND, CONFLICT. */
async function lockAwaiting(work: Work, quoteId: Id<'quote'>): Promise<Awaiting> {
  const { tx, platform, keyring } = work
  const asked = { ...work, action: 'authorizeQuote', input: { quoteId } }
  const [loaded] = await loadQuotes(tx, [asked])
  if (!loaded) return failNotFound('quote')
  const { payment } = loaded
  // Its accounts are locked before its customer.
  const waiting = await lockWaiting(work, payment.transaction)
  const [check] = await loadPayerChecks(tx, [{ ...payment, platform, keyring }])
  if (!check) return fail('CONFLICT', { reason: 'SCA_NOT_REQUIRED' })
  const { status: quoteStatus } = payment.transaction
  if (quoteStatus !== 'PENDING_AUTHORIZATION') return fail('CONFLICT', { quoteStatus })
  const challenge = await findOpenChallenge(work, { purpose: 'PAYOUT', quoteId })
  if (!challenge) return fail('CONFLICT', { quoteStatus })
  return { loaded, waiting, check, challenge }
}

/** SCA-45: another step, another challenge, told again; by the same factor as before, while the customer has it. */
function askNext(
  work: Work,
  { loaded, check, challenge: { factor } }: Awaiting,
  purpose: ReturnType<typeof proofStepsOf>[number],
): AuthorizedQuote {
  const { tx, platform } = work
  const { quote, payment } = loaded
  const { transaction: before } = payment
  const asked = availableFactors(check.payer.sca.factors).includes(factor) ? factor : undefined
  const issued = askForProof(work, { quote, transaction: before, check, purpose, asked })
  writeChallenge(tx, platform.id, issued)
  const transaction = moveOutgoing(work, before, 'requireAuthorization')
  saveTransactions(tx, [{ platformId: platform.id, transaction }])
  return { quote, transaction, check, challenge: issued.challenge }
}

function awaitFunds(work: Work, { quote, payment }: LoadedQuote): OutgoingTransaction {
  const { tx, platform } = work
  const transaction = moveOutgoing(work, payment.transaction, 'awaitFunds')
  saveTransactions(tx, [{ platformId: platform.id, transaction }])
  const { id, expiresAt } = quote
  enqueue(work, expireQuoteJob, { quoteId: id }, { dueAt: expiresAt, key: id })
  return transaction
}

/** L10, then as any executed quote. Price and funds were settled when it was executed (SCA-41). */
async function release(work: Work, { payment, terms }: LoadedQuote): Promise<OutgoingTransaction> {
  const { tx, platform } = work
  const keys = [...deliveryKeysOf(payment), ...heldKeysOf(payment)]
  const moved = await postWith(work, keys, (book) =>
    moveMoney(
      { eventContext: work, payment, batch: { book, state: newBatchState() } },
      { kind: 'quote', terms, isHeld: true },
    ),
  )
  saveExecuted(tx, [{ platformId: platform.id, ...moved }])
  return moved.accepted
}
