import { isOutOfRange } from '../../../kernel/money/amount-range.ts'
import { addMs } from '../../../kernel/clock.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { dropJobs } from '../../../infra/jobs/drop-jobs.ts'
import { findPlatform } from '../../../infra/platforms.ts'
import { attempt } from '../../../infra/work/attempt.ts'
import type { Work } from '../../../infra/work/work.ts'
import { storedKeys } from '../../../ledger/book.ts'
import { postAcross } from '../../../ledger/post.ts'
import { failedAtOnce } from '../../../providers/rails/sandbox-outcomes.ts'
import { prepareSteps } from '../../payments/index.ts'
import {
  lockTransaction,
  saveTransaction,
  type IncomingTransaction,
  type OutgoingTransaction,
} from '../../transactions/index.ts'
import type { Approval, WaitingPayment } from '../approval/approval.ts'
import { deleteApproval, setDecideBy } from '../approval/store.ts'
import { creditPayment, rejectIncoming, type CreditedPayment } from './credit-payment.ts'
import { approvalTimeoutJob } from '../job-definitions.ts'
import { type Ending, missingFields } from '../approval/judge-answer.ts'

const NOT_CREDITED: Ending = { kind: 'fail', reason: 'QUOTE_EXECUTION_FAILED' }

/**
 * Ends an incoming payment that the caller has locked, together with the outgoing payment behind it: both books in one
 * transaction (UMA-9). A manual payout leaves it PROCESSING until the operator ends it. Refuses nothing: a payment whose
 * account is full fails.
 */
export async function endPayment(
  work: Work,
  waiting: WaitingPayment,
  ending: Ending,
): Promise<IncomingTransaction> {
  const ended = await attempt(work, (inner) => endAs(inner, waiting, ending), isOutOfRange)
  return ended.ok ? ended.result : endAs(work, waiting, NOT_CREDITED)
}

async function endAs(
  work: Work,
  waiting: WaitingPayment,
  ending: Ending,
): Promise<IncomingTransaction> {
  const { approval } = waiting
  const payer = await lockPayer(work, approval)
  const applied = await applyEnding(work, waiting, isFunded(payer) ? ending : NOT_CREDITED)
  return settle(work, { ...waiting, payer }, applied)
}

/**
 * Ends a manual payout: `paid` is the payment with the trace of the payout, undefined where it failed. A payment whose
 * funding is gone was not paid. Refuses nothing.
 */
export async function endPayout(
  work: Work,
  waiting: WaitingPayment,
  paid: IncomingTransaction | undefined,
): Promise<IncomingTransaction> {
  const payer = await lockPayer(work, waiting.approval)
  const made = isFunded(payer) ? paid : undefined
  const outcome = made ? 'PAID' : 'FAILED'
  const ended = await creditPayment(work, made ?? waiting.transaction, outcome)
  return settle(work, { ...waiting, payer }, ended)
}

function applyEnding(
  work: Work,
  { transaction, approval }: WaitingPayment,
  ending: Ending,
): Promise<CreditedPayment> | CreditedPayment {
  if (ending.kind === 'reject') return rejectIncoming(work, transaction, { event: 'reject' })
  if (ending.kind === 'fail') return rejectIncoming(work, transaction, { event: 'fail', ...ending })
  if (missingFields(approval.requestedFields, ending.info).length > 0) {
    const reason = 'MISSING_MANDATORY_PAYEE_DATA'
    return rejectIncoming(work, transaction, { event: 'fail', reason })
  }
  return creditPayment(work, transaction)
}

type LockedPayer = Readonly<{ work: Work; before: OutgoingTransaction }>

/** An outgoing payment that has ended otherwise has taken its money back. */
const isFunded = (payer: LockedPayer | undefined): boolean =>
  !payer || payer.before.status === 'PROCESSING'

/** Locks the outgoing payment after the incoming one, in a Work of its own platform and time. */
async function lockPayer(work: Work, { payer }: Approval): Promise<LockedPayer | undefined> {
  if (!payer) return undefined
  const platform = await findPlatform(work.tx, payer.platformId)
  const before = await lockTransaction(work.tx, payer.platformId, payer.transactionId)
  invariant(
    platform && before?.type === 'OUTGOING',
    'The outgoing payment behind an incoming one exists.',
  )
  const now = addMs(work.now, platform.clockOffsetMs - work.platform.clockOffsetMs)
  return { work: { ...work, platform, now }, before }
}

async function settle(
  work: Work,
  { approval, payer }: WaitingPayment & Readonly<{ payer: LockedPayer | undefined }>,
  { transaction, journals }: CreditedPayment,
): Promise<IncomingTransaction> {
  const { tx, platform, now } = work
  const { transactionId } = approval
  const isOver = transaction.status !== 'PROCESSING'
  const moving = isOver && payer?.before.status === 'PROCESSING' ? payer : undefined
  const mayRefund = transaction.status !== 'COMPLETED'
  const payers =
    moving && (await prepareSteps(moving.work, moving.before, stepsOf(transaction), { mayRefund }))
  const keys = [...storedKeys(platform.id, journals), ...(payers?.keys ?? [])]
  const savePayers = await postAcross(moving ? [work, moving.work] : [work], keys, (book) => {
    book.mustApply(platform.id, now, journals)
    return payers?.take(book)
  })
  saveTransaction(work, transaction)
  savePayers?.()
  if (isOver) deleteApproval(tx, platform.id, transactionId)
  else setDecideBy(tx, platform.id, { transactionId, decideBy: null })
  dropJobs(tx, approvalTimeoutJob, [{ platformId: platform.id, key: transactionId }])
  return transaction
}

/** The steps that end the sender's payment. */
const stepsOf = ({ status }: IncomingTransaction) =>
  status === 'COMPLETED'
    ? ([{ afterSeconds: 0, event: 'complete' }] as const)
    : failedAtOnce('COUNTERPARTY_POST_TX_FAILED')
