import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { lockAnyCustomer, mustNeedSca } from './sca-customer.ts'
import { deleteFactor } from './store.ts'

/** Removes a customer's passkey. Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND, CONFLICT. */
export async function deletePasskey(
  work: Work,
  { customerId, credentialId }: { customerId: Id<'customer'>; credentialId: string },
): Promise<void> {
  const { customer, factors } = await lockAnyCustomer(work, customerId)
  if (factors.passkey?.credentialId !== credentialId) fail('REFERENCE_NOT_FOUND')
  mustNeedSca(customer)
  deleteFactor(work.tx, work.platform.id, { customerId, factor: 'PASSKEY' })
}
