import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { listActionsOfTransactions } from '../actions/store.ts'

type PaymentReference = Readonly<{ transactionId: Id<'transaction'> }>

async function isAwaiting(
  { tx, platform }: Work,
  { transactionId }: PaymentReference,
): Promise<boolean> {
  const key = { platformId: platform.id, transactionId }
  const [action] = await listActionsOfTransactions(tx, [key])
  return action?.status === 'PENDING_APPROVAL'
}

/** A payment that waits for approval is rejected, not cancelled. Fails: TRANSACTION_NOT_CANCELLABLE. */
export async function refuseCancelling(
  work: Work,
  touched: InternalEvents['transactions.cancelling'],
): Promise<void> {
  if (await isAwaiting(work, touched)) fail('TRANSACTION_NOT_CANCELLABLE', { status: 'PENDING' })
}

/** A payment that waits for approval has moved no money, so it cannot be settled. Fails: CONFLICT. */
export async function refuseSettling(
  work: Work,
  touched: InternalEvents['transactions.settling'],
): Promise<void> {
  if (await isAwaiting(work, touched)) fail('CONFLICT', { reason: 'PENDING_APPROVAL' })
}
