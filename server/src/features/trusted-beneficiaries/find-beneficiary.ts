import { failNotFound, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work/work.ts'
import {
  findExternalAccount,
  mustLockExternalAccount,
  type ExternalAccount,
} from '../external-accounts/index.ts'
import { lockAnyCustomer, mustNeedSca, type ScaCustomer } from '../sca/index.ts'

export type Beneficiary = Readonly<{ account: ExternalAccount; sca: ScaCustomer }>

/**
 * Locks an external account and then its customer, in the order of a payment (TRUST-2).
 * Fails: REFERENCE_NOT_FOUND, also for an account of the platform; USER_NOT_FOUND; CONFLICT where the customer needs no
 * strong authentication.
 */
export async function lockBeneficiary(work: Work, id: Id<'externalAccount'>): Promise<Beneficiary> {
  const found = await findExternalAccount(work, id)
  if (!found?.customerId) return failNotFound('externalAccount')
  const account = await mustLockExternalAccount(work, id)
  const sca = await lockAnyCustomer(work, found.customerId)
  invariant(account.customerId === sca.customer.id, 'an account keeps its customer')
  mustNeedSca(sca.customer)
  return { account, sca }
}
