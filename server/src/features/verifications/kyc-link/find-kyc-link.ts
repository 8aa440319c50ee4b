import { digestSecret } from '../../../crypto/secret-hash.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work.ts'
import { findCustomer, lockAnyCustomer, type Customer } from '../../customers/index.ts'
import { kycLinkState } from './rules.ts'
import { findKycLinkByToken, readKycLink, type KycLink } from './store.ts'

/** The link that a token opens, of whatever platform; undefined for one that was never given out. */
export const findKycLink = (tx: Tx, token: string): Promise<KycLink | undefined> =>
  findKycLinkByToken(tx, digestSecret(token))

/**
 * The customer of a link that still leads somewhere (KYC-25). Fails: KYC_LINK_USED, KYC_LINK_EXPIRED, also where the
 * customer is deleted.
 */
export async function mustBeOpenLink(
  work: Pick<Work, 'tx' | 'platform' | 'now'>,
  link: KycLink,
): Promise<Customer> {
  return mustLeadTo(link, await findCustomer(work, link.customerId), work.now)
}

/**
 * The same, the customer locked until the transaction ends, and the link as it is once the lock is granted: whoever
 * held it may have used the link up. Only read, since a submission locks its link before its customer.
 */
export async function lockBehindLink(
  work: Pick<Work, 'tx' | 'platform' | 'now'>,
  { id, customerId }: KycLink,
): Promise<Customer> {
  const customer = await lockAnyCustomer(work, customerId)
  return mustLeadTo(await readKycLink(work.tx, work.platform.id, id), customer, work.now)
}

function mustLeadTo(link: KycLink, customer: Customer | undefined, now: Date): Customer {
  const state = kycLinkState(link, now)
  if (state === 'USED') fail('KYC_LINK_USED')
  return state === 'OPEN' && customer && !customer.isDeleted ? customer : fail('KYC_LINK_EXPIRED')
}
