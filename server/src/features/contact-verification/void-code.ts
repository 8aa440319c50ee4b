import type { InternalEvents } from '../../infra/work/internal-events.ts'
import type { Work } from '../../infra/work/work.ts'
import { clearCode } from './store.ts'

/**
 * The reaction to a new e-mail address or phone number: voids a code sent to the former one (CONT-9). Refuses nothing.
 */
export async function voidCode(
  { tx, platform }: Work,
  { customerId, channel }: InternalEvents['customers.contactChanged'],
): Promise<void> {
  clearCode(tx, platform.id, { customerId, channel })
}
