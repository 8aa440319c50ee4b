import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { deleteChallengesOfCustomer } from '../challenges/store.ts'
import { expireResets } from '../resets/store.ts'
import { endSession } from './store.ts'

/** Reacts to a deleted customer: ends its session, challenges and resets (CUST-63). Refuses nothing. */
export async function forgetCustomer(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  endSession(tx, platform.id, customerId)
  deleteChallengesOfCustomer(tx, platform.id, customerId)
  expireResets(tx, platform.id, { customerId, factor: null })
}
