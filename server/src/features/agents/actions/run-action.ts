import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work/work.ts'
import { commandInWork } from '../../../ledger/command-in-work.ts'
import { executeQuote, quoteIdOf } from '../../quotes/index.ts'
import { obstacleTo, type WaitingPayment } from '../../payments/index.ts'
import type { Transaction } from '../../transactions/index.ts'
import { resumeTransfer } from '../../transfers/index.ts'
import { PERMISSION_OF, type Action } from './action.ts'
import { failureByObstacle, type ActionFailure } from './failure.ts'
import { movementOf, mustHavePermission, mustPermit } from '../policy/judge.ts'
import type { StoredAgent } from '../record/store.ts'
import { addUsage, usageAt, type Usage } from '../policy/usage.ts'

/** An action with its payment and its agent, all locked: the payment first, as in a submission. */
export type LockedAction = Readonly<{ action: Action; payment: Transaction; agent: StoredAgent }>

/** A locked action with both sides of its payment at this moment. */
export type LockedForApproval = LockedAction & Readonly<{ waiting: WaitingPayment }>

type RunPayment = Readonly<{ payment: Transaction; usage: Usage }>

/**
 * Runs an approved action: checks the current policy and usage, then the payment's current obstacles, then executes the
 * payment (ACT-21). The caller holds all locks.
 * Fails: FORBIDDEN with the reason, CONFLICT if the payment has ended, WALLET_SIGNATURE_INVALID if the session of the
 * stored stamp has ended, and as the payment does; a failure has no effect.
 */
export async function runAction(
  work: Work,
  locked: LockedForApproval,
): Promise<RunPayment | ActionFailure> {
  const { now } = work
  const { agent, action, waiting } = locked
  const { policy } = agent
  const usage = usageAt(agent.usage, now)
  mustHavePermission(agent, PERMISSION_OF[action.type])
  const { transaction, receiving, prices } = waiting
  const movement = movementOf(transaction, receiving)
  const { amount } = mustPermit({ policy, usage, prices, now }, movement)
  const obstacle = obstacleTo(work, waiting)
  if (obstacle) return failureByObstacle(obstacle)
  const run = action.type === 'EXECUTE_QUOTE' ? executeWaiting : resumeWaiting
  return { payment: await run(work, locked), usage: addUsage(usage, amount) }
}

const resumeWaiting = async (
  work: Work,
  { payment, waiting }: LockedForApproval,
): Promise<Transaction> => {
  if (payment.status !== 'PENDING') fail('CONFLICT', { status: payment.status })
  return resumeTransfer(work, waiting)
}

async function executeWaiting(work: Work, { action }: LockedForApproval): Promise<Transaction> {
  const { id: approvedActionId, transactionId, walletStamp } = action
  const headers = { stamp: walletStamp ?? undefined, requestId: undefined }
  const { executed } = await commandInWork(work, executeQuote, {
    action: 'approveAgentAction',
    input: {
      quoteId: quoteIdOf(transactionId),
      scaFactor: undefined,
      signing: { body: {}, headers },
      approvedActionId,
    },
  })
  if (!executed) return fail('WALLET_SIGNATURE_INVALID')
  // A quote without a current price fails before anything is debited (RATE-11).
  if (executed.transaction.status === 'FAILED') return fail('CONFLICT', { quoteStatus: 'FAILED' })
  return executed.transaction
}
