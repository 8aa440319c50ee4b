import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockAnyCustomer } from '../customers/index.ts'
import { freezeCustomerAccounts, lockAccountsOfCustomer } from '../internal-accounts/index.ts'
import { handToReviewer, raiseFlag, type FlagLevel } from '../verifications/index.ts'

export type Restriction = Readonly<{
  customerId: Id<'customer'>
  /** Whom it was found about: the customer, or an owner of it. */
  subject: string
  reason: string
  level: FlagLevel
  isAlert: boolean
}>

/**
 * Puts a customer on the review list and leaves it to a person; a block also freezes its accounts (PROV-96, PROV-100).
 * A deleted customer stays as it is. Refuses nothing.
 */
export async function restrictCustomer(
  work: Work,
  { isAlert, ...flag }: Restriction,
): Promise<void> {
  const { customerId, level } = flag
  // Accounts are locked before their customer, as a payment does.
  if (level === 'BLOCK') await lockAccountsOfCustomer(work, flag)
  const customer = await lockAnyCustomer(work, customerId)
  if (customer?.isDeleted !== false) return
  raiseFlag(work, flag)
  if (level === 'INFO') return
  await handToReviewer(work, customerId, { isAlert })
  if (level === 'BLOCK') await freezeCustomerAccounts(work, customerId)
}
