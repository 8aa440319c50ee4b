import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { commandInWork } from '../../ledger/command-in-work.ts'
import { executeQuote } from '../quotes/index.ts'
import { readPrices } from '../rates/index.ts'
import type { Transaction } from '../transactions/index.ts'
import { resumeTransfer } from '../transfers/index.ts'
import { PERMISSION_OF, type Action } from './action.ts'
import { movementOf, mustMay, mustPermit } from './rules.ts'
import type { StoredAgent } from './store.ts'
import { book, usageAt, type Usage } from './usage.ts'

/** An action with its payment and its agent, all locked: the payment first, as by whoever pays. */
export type Held = Readonly<{ action: Action; payment: Transaction; agent: StoredAgent }>

/**
 * Runs an action that was agreed to, under the policy and with the usage of now. The caller holds all its locks.
 * Fails: FORBIDDEN with the reason, CONFLICT where it was ended otherwise, WALLET_SIGNATURE_INVALID where the kept stamp
 * does not hold any more, and as the payment does; nothing has happened then.
 */
export async function runAction(
  work: Work,
  { agent, action, payment }: Held,
): Promise<Readonly<{ payment: Transaction; usage: Usage }>> {
  const { tx, platform, now } = work
  const { policy } = agent
  const usage = usageAt(agent.usage, now)
  mustMay(agent, PERMISSION_OF[action.type])
  const { environment } = platform
  const prices = await readPrices(tx, { environment, now })
  const { amount } = mustPermit({ policy, usage, prices }, movementOf(payment))
  const run = action.type === 'EXECUTE_QUOTE' ? executeWaiting : resumeWaiting
  return { payment: await run(work, action, payment), usage: book(usage, amount) }
}

const resumeWaiting = (work: Work, _action: Action, payment: Transaction): Promise<Transaction> => {
  if (payment.status !== 'PENDING') fail('CONFLICT', { status: payment.status })
  return resumeTransfer(work, payment)
}

async function executeWaiting(
  work: Work,
  { transactionId, walletStamp }: Action,
): Promise<Transaction> {
  const { settings, keyring } = work
  const headers = { stamp: walletStamp ?? undefined, requestId: undefined }
  const { executed } = await commandInWork(work, executeQuote, {
    action: 'approveAgentAction',
    input: {
      quoteId: transactionId as string as Id<'quote'>,
      scaFactor: undefined,
      signing: { body: {}, headers },
      service: { settings, keyring },
    },
  })
  if (!executed) return fail('WALLET_SIGNATURE_INVALID')
  // RATE-11: the quote was over before anything was debited.
  if (executed.transaction.status === 'FAILED') return fail('CONFLICT', { quoteStatus: 'FAILED' })
  return executed.transaction
}
