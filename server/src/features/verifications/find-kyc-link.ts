import { digestSecret } from '../../crypto/secret-hash.ts'
import { fail } from '../../kernel/errors.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Work } from '../../infra/work.ts'
import { findCustomer, type Customer } from '../customers/index.ts'
import { kycLinkState } from './kyc-link.ts'
import { findKycLinkByToken, type KycLink } from './kyc-link-store.ts'

/** The link that a token opens, of whatever platform; undefined for one that was never given out. */
export const findKycLink = (tx: Tx, token: string): Promise<KycLink | undefined> =>
  findKycLinkByToken(tx, digestSecret(token))

/**
 * KYC-25: the customer of a link that still leads somewhere. Fails: KYC_LINK_USED, KYC_LINK_EXPIRED, also where the
 * customer is deleted.
 */
export async function mustBeOpenLink(
  work: Pick<Work, 'tx' | 'platform' | 'now'>,
  link: KycLink,
): Promise<Customer> {
  const state = kycLinkState(link, work.now)
  if (state === 'USED') fail('KYC_LINK_USED')
  const customer = await findCustomer(work, link.customerId)
  return state === 'OPEN' && customer && !customer.isDeleted ? customer : fail('KYC_LINK_EXPIRED')
}
