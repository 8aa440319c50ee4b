import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { announceChange } from '../notices/announce-change.ts'
import { lockScaCustomer, mustHaveFreshLogin } from '../customers/sca-customer.ts'
import { deleteFactor } from '../customers/store.ts'

/** Removes a customer's passkey. Fails: USER_NOT_FOUND, CONFLICT, REFERENCE_NOT_FOUND, SCA_SESSION_REQUIRED. */
export async function deletePasskey(
  work: Work,
  { customerId, credentialId }: { customerId: Id<'customer'>; credentialId: string },
): Promise<void> {
  const sca = await lockScaCustomer(work, customerId)
  if (sca.factors.passkey?.credentialId !== credentialId) fail('REFERENCE_NOT_FOUND')
  mustHaveFreshLogin(sca, work.now)
  deleteFactor(work.tx, work.platform.id, { customerId, factor: 'PASSKEY' })
  announceChange(work, sca.customer, { change: 'REMOVED', factor: 'PASSKEY' })
}
