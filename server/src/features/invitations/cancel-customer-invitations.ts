import type { InternalEvents } from '../../infra/internal-events.ts'
import type { Work } from '../../infra/work.ts'
import { cancelPendingOf } from './store.ts'

/** CUST-63: nobody is invited by a customer that is gone. Refuses nothing. */
export function cancelCustomerInvitations(
  { tx, platform, now }: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  return cancelPendingOf(tx, platform.id, { inviterId: customerId, now })
}
