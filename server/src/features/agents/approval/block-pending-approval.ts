import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/internal-events.ts'
import type { Work } from '../../../infra/work.ts'
import { listActionsOfTransactions } from '../actions/store.ts'

type Touched = Readonly<{ transactionId: Id<'transaction'> }>

async function isAwaiting({ tx, platform }: Work, { transactionId }: Touched): Promise<boolean> {
  const key = { platformId: platform.id, transactionId }
  const [action] = await listActionsOfTransactions(tx, [key])
  return action?.status === 'PENDING_APPROVAL'
}

/** What waits for the platform's approval was not begun: it is rejected, not cancelled. Fails: TRANSACTION_NOT_CANCELLABLE. */
export async function refuseCancelling(
  work: Work,
  touched: InternalEvents['transactions.cancelling'],
): Promise<void> {
  if (await isAwaiting(work, touched)) fail('TRANSACTION_NOT_CANCELLABLE', { status: 'PENDING' })
}

/** Nor has anybody moved its money yet. Fails: CONFLICT. */
export async function refuseSettling(
  work: Work,
  touched: InternalEvents['transactions.settling'],
): Promise<void> {
  if (await isAwaiting(work, touched)) fail('CONFLICT', { reason: 'PENDING_APPROVAL' })
}
