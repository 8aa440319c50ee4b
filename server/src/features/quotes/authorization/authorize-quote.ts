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
  lockWaitingPayment,
  moveMoney,
  obstacleTo,
  type WaitingPayment,
} from '../../payments/index.ts'
import {
  moveOutgoing,
  saveTransaction,
  type OutgoingTransaction,
} from '../../transactions/index.ts'
import { markQuoteFailed } from './end-authorization.ts'
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

type AwaitedProof = Readonly<{
  loaded: LoadedQuote
  waiting: WaitingPayment
  check: PayerCheck
  challenge: ScaChallenge
}>

/**
 * Takes the customer's proof of one step. After the last one the held money leaves, or just-in-time funds may come
 * (SCA-47). A wrong proof counts as a failed attempt, as at a login, so its INVALID_INPUT is returned (SCA-49). A
 * payment that may not continue fails before its proof is judged, so its CONFLICT is returned (SCA-56).
 * Fails: QUOTE_NOT_FOUND, CONFLICT, ACCOUNT_LOCKED, SCA_SESSION_REQUIRED, INVALID_INPUT (factor not listed).
 */
export async function authorizeQuote(
  work: Work,
  { quoteId, proof }: { quoteId: Id<'quote'>; proof: Proof },
): Promise<AuthorizedQuote | Refusal> {
  const awaiting = await lockAwaitedProof(work, quoteId)
  const { loaded, waiting, check, challenge } = awaiting
  const { sca } = check.payer
  mustBeUnlocked(sca, work.now)
  if (!hasSession(sca.security, work.now)) return fail('SCA_SESSION_REQUIRED')
  const stopped = await endIfBlocked(work, loaded, waiting)
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

/** The refusal is returned so that the failed payment is saved; the proof is neither used up nor counted (SCA-56). */
async function endIfBlocked(
  work: Work,
  { quote: { id: quoteId }, payment: { transaction } }: LoadedQuote,
  waiting: WaitingPayment,
): Promise<Refusal | undefined> {
  const obstacle = obstacleTo(work, waiting)
  if (!obstacle) return undefined
  const { reason, failureReason } = obstacle
  await markQuoteFailed(work, { quoteId, transaction, failureReason })
  return refuse('CONFLICT', { reason, failureReason, quoteStatus: 'FAILED' })
}

/** Sends the code again (SCA-53). Fails: QUOTE_NOT_FOUND, CONFLICT, RATE_LIMITED, NOT_IMPLEMENTED. */
export async function resendQuoteCode(work: Work, quoteId: Id<'quote'>): Promise<void> {
  const { check, challenge } = await lockAwaitedProof(work, quoteId)
  resendCode(work, check.payer.sca, challenge)
}

/** Locks the quote that waits for a proof, and its customer. Fails: QUOTE_NOT_FOUND, CONFLICT. */
async function lockAwaitedProof(work: Work, quoteId: Id<'quote'>): Promise<AwaitedProof> {
  const { tx, platform, keyring } = work
  const asked = { ...work, action: 'authorizeQuote', input: { quoteId } }
  const [loaded] = await loadQuotes(tx, [asked])
  if (!loaded) return failNotFound('quote')
  const { payment } = loaded
  // Its accounts are locked before its customer.
  const waiting = await lockWaitingPayment(work, payment.transaction)
  const [check] = await loadPayerChecks(tx, [{ ...payment, platform, keyring }])
  if (!check) return fail('CONFLICT', { reason: 'SCA_NOT_REQUIRED' })
  const { status: quoteStatus } = payment.transaction
  if (quoteStatus !== 'PENDING_AUTHORIZATION') return fail('CONFLICT', { quoteStatus })
  const challenge = await findOpenChallenge(work, { purpose: 'PAYOUT', quoteId })
  if (!challenge) return fail('CONFLICT', { quoteStatus })
  return { loaded, waiting, check, challenge }
}

/** Issues the challenge of the next step, by the same factor while the customer still has it (SCA-45). */
function askNext(
  work: Work,
  { loaded, check, challenge: { factor } }: AwaitedProof,
  purpose: ReturnType<typeof proofStepsOf>[number],
): AuthorizedQuote {
  const { tx, platform } = work
  const { quote, payment } = loaded
  const { transaction: before } = payment
  const asked = availableFactors(check.payer.sca.factors).includes(factor) ? factor : undefined
  const issued = askForProof(work, { quote, transaction: before, check, purpose, asked })
  writeChallenge(tx, platform.id, issued)
  const transaction = moveOutgoing(work, before, 'requireAuthorization')
  saveTransaction(work, transaction)
  return { quote, transaction, check, challenge: issued.challenge }
}

function awaitFunds(work: Work, { quote, payment }: LoadedQuote): OutgoingTransaction {
  const transaction = moveOutgoing(work, payment.transaction, 'awaitFunds')
  saveTransaction(work, transaction)
  const { id, expiresAt } = quote
  enqueue(work, expireQuoteJob, { quoteId: id }, { dueAt: expiresAt, key: id })
  return transaction
}

/** Captures the hold and executes the quote. Price and funds were checked when the hold was placed (SCA-41). */
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
