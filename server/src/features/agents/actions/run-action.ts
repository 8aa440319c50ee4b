import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { commandInWork } from '../../../ledger/command-in-work.ts'
import { executeQuote } from '../../quotes/index.ts'
import { obstacleTo, type Transaction, type WaitingPayment } from '../../transactions/index.ts'
import { resumeTransfer } from '../../transfers/index.ts'
import { PERMISSION_OF, type Action } from './action.ts'
import { failureByObstacle, type ActionFailure } from './failure.ts'
import { movementOf, mustMay, mustPermit } from '../policy/judge.ts'
import type { StoredAgent } from '../record/store.ts'
import { book, usageAt, type Usage } from '../policy/usage.ts'

/** An action with its payment and its agent, all locked: the payment first, as by whoever pays. */
export type Held = Readonly<{ action: Action; payment: Transaction; agent: StoredAgent }>

/** The same with the ends of the payment, as they are now. */
export type HeldForApproval = Held & Readonly<{ waiting: WaitingPayment }>

type Ran = Readonly<{ payment: Transaction; usage: Usage }>

/**
 * Runs an action that was agreed to: policy and usage of now first, then what stops the payment as things now are, then
 * the payment itself (ACT-21). The caller holds all its locks.
 * Fails: FORBIDDEN with the reason, CONFLICT where it was ended otherwise, WALLET_SIGNATURE_INVALID where the session
 * of the kept stamp has ended, and as the payment does; nothing has happened then.
 */
export async function runAction(work: Work, held: HeldForApproval): Promise<Ran | ActionFailure> {
  const { now } = work
  const { agent, action, waiting } = held
  const { policy } = agent
  const usage = usageAt(agent.usage, now)
  mustMay(agent, PERMISSION_OF[action.type])
  const { transaction, receiving, prices } = waiting
  const movement = movementOf(transaction, receiving)
  const { amount } = mustPermit({ policy, usage, prices, now }, movement)
  const obstacle = obstacleTo(work, waiting)
  if (obstacle) return failureByObstacle(obstacle)
  const run = action.type === 'EXECUTE_QUOTE' ? executeWaiting : resumeWaiting
  return { payment: await run(work, held), usage: book(usage, amount) }
}

const resumeWaiting = async (
  work: Work,
  { payment, waiting }: HeldForApproval,
): Promise<Transaction> => {
  if (payment.status !== 'PENDING') fail('CONFLICT', { status: payment.status })
  return resumeTransfer(work, waiting)
}

async function executeWaiting(work: Work, { action }: HeldForApproval): Promise<Transaction> {
  const { settings, keyring } = work
  const { id: approvedActionId, transactionId, walletStamp } = action
  const headers = { stamp: walletStamp ?? undefined, requestId: undefined }
  const { executed } = await commandInWork(work, executeQuote, {
    action: 'approveAgentAction',
    input: {
      quoteId: transactionId as string as Id<'quote'>,
      scaFactor: undefined,
      signing: { body: {}, headers },
      service: { settings, keyring },
      approvedActionId,
    },
  })
  if (!executed) return fail('WALLET_SIGNATURE_INVALID')
  // RATE-11: the quote was over before anything was debited.
  if (executed.transaction.status === 'FAILED') return fail('CONFLICT', { quoteStatus: 'FAILED' })
  return executed.transaction
}
