import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isScaRegion } from '../../customers/index.ts'
import { announceChange } from '../notices/announce-change.ts'
import { lockAnyCustomer, mustHaveFreshLogin } from '../customers/sca-customer.ts'
import { withoutSession } from '../customers/security-state.ts'
import { savePhoneProof, saveSecurity } from '../customers/store.ts'
import { voidProofs } from '../challenges/void-proofs.ts'

/**
 * Reacts to a phone number that the platform changes: sessions and pending proofs end, and the new number is no factor
 * before it is proven (SCA-58). Fails: SCA_SESSION_REQUIRED (CUST-68).
 */
export async function changePhoneFactor(
  work: Work,
  { customerId }: InternalEvents['customers.phoneChanging'],
): Promise<void> {
  const { tx, platform, now } = work
  const sca = await lockAnyCustomer(work, customerId)
  const { customer, security } = sca
  if (!isScaRegion(customer.region)) return
  mustHaveFreshLogin(sca, now)
  await voidProofs(work, customerId)
  saveSecurity(tx, platform.id, { customerId, security: withoutSession(security) })
  // If a phone channel is required, its status shows already that the number is unproven (CONT-9).
  if (customer.contact.phone === undefined) {
    savePhoneProof(tx, platform.id, { customerId, isPhoneUnproven: true })
  }
  announceChange(work, customer, { change: 'PHONE_CHANGED', factor: 'SMS_OTP' })
}
