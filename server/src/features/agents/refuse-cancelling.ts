import { fail } from '../../kernel/errors.ts'
import type { InternalEvents } from '../../infra/internal-events.ts'
import type { Work } from '../../infra/work.ts'
import { listActionsOfTransactions } from './action-store.ts'

/** What waits for the platform's approval was not begun: it is rejected, not cancelled. Fails: TRANSACTION_NOT_CANCELLABLE. */
export async function refuseCancelling(
  { tx, platform }: Work,
  { transactionId }: InternalEvents['transactions.cancelling'],
): Promise<void> {
  const key = { platformId: platform.id, transactionId }
  const [action] = await listActionsOfTransactions(tx, [key])
  if (action?.status === 'PENDING_APPROVAL') {
    fail('TRANSACTION_NOT_CANCELLABLE', { status: 'PENDING' })
  }
}
