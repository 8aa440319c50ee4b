import { digestSecret } from '../../../crypto/secret-hash.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer, lockAnyCustomer, type Customer } from '../../customers/index.ts'
import { kycLinkState } from './rules.ts'
import { findKycLinkByToken, readKycLink, type KycLink } from './store.ts'

/** The link of a token, of any platform; undefined for an unknown token. */
export const findKycLink = (tx: Tx, token: string): Promise<KycLink | undefined> =>
  findKycLinkByToken(tx, digestSecret(token))

/** The customer of an open link (KYC-25). Fails: KYC_LINK_USED, KYC_LINK_EXPIRED, also if the customer is deleted. */
export async function mustBeOpenLink(
  work: Pick<Work, 'tx' | 'platform' | 'now'>,
  link: KycLink,
): Promise<Customer> {
  return mustBeOpen(link, await findCustomer(work, link.customerId), work.now)
}

/**
 * As mustBeOpenLink, with the customer locked. The link is read again under the lock, since a concurrent submission may
 * have used it; only holders of this lock use it up.
 */
export async function lockLinkCustomer(
  work: Pick<Work, 'tx' | 'platform' | 'now'>,
  { id, customerId }: KycLink,
): Promise<Customer> {
  const customer = await lockAnyCustomer(work, customerId)
  return mustBeOpen(await readKycLink(work.tx, work.platform.id, id), customer, work.now)
}

function mustBeOpen(link: KycLink, customer: Customer | undefined, now: Date): Customer {
  const state = kycLinkState(link, now)
  if (state === 'USED') fail('KYC_LINK_USED')
  return state === 'OPEN' && customer && !customer.isDeleted ? customer : fail('KYC_LINK_EXPIRED')
}
