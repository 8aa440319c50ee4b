import type { InternalEvents } from '../../infra/internal-events.ts'
import type { Work } from '../../infra/work.ts'
import { voidCodesOfCustomer } from './challenge-store.ts'

/**
 * The reaction to another phone number: whoever holds the former one can prove nothing with what was sent there. A
 * payment that waits for its code can still be proven by a passkey, and ends in its time (SCA-51). Refuses nothing.
 */
export async function voidScaCodes(
  { tx, platform }: Work,
  { customerId, channel }: InternalEvents['customers.contactChanged'],
): Promise<void> {
  if (channel === 'phone') voidCodesOfCustomer(tx, platform.id, customerId)
}
