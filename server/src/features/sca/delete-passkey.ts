import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { lockScaCustomer } from './sca-customer.ts'
import { deleteFactor } from './store.ts'

/** Removes a customer's passkey. Fails: USER_NOT_FOUND, CONFLICT, REFERENCE_NOT_FOUND. */
export async function deletePasskey(
  work: Work,
  { customerId, credentialId }: { customerId: Id<'customer'>; credentialId: string },
): Promise<void> {
  const { factors } = await lockScaCustomer(work, customerId)
  if (factors.passkey?.credentialId !== credentialId) fail('REFERENCE_NOT_FOUND')
  deleteFactor(work.tx, work.platform.id, { customerId, factor: 'PASSKEY' })
}
