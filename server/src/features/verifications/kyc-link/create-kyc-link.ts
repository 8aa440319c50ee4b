import { digestSecret, newSecret } from '../../../crypto/secret-hash.ts'
import { addMs } from '../../../kernel/clock.ts'
import { newUuid, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustHaveVerifiedContact } from '../../contact-verification/index.ts'
import { mustFindCustomer } from '../../customers/index.ts'
import { KYC_LINK_LIFETIME_MS, kycUrl } from './rules.ts'
import { insertKycLink } from './store.ts'

export type NewKycLink = Readonly<{ kycUrl: string; expiresAt: Date }>

/**
 * Creates a link to the hosted flow, for a customer of any status; earlier links stay valid (KYC-20, KYC-23). Only its
 * digest is stored. Fails: USER_NOT_FOUND, CONFLICT while a contact channel is not verified.
 */
export async function createKycLink(
  work: Work,
  customerId: Id<'customer'>,
  { redirectUri }: { redirectUri?: string },
): Promise<NewKycLink> {
  const { tx, platform, now, settings } = work
  mustHaveVerifiedContact(await mustFindCustomer(work, customerId))
  const token = newSecret()
  const expiresAt = addMs(now, KYC_LINK_LIFETIME_MS)
  insertKycLink(tx, {
    platformId: platform.id,
    id: newUuid(),
    customerId,
    tokenDigest: digestSecret(token),
    redirectUri: redirectUri ?? null,
    createdAt: now,
    expiresAt,
    usedAt: null,
  })
  return { kycUrl: kycUrl({ publicUrl: settings.publicUrl, token, redirectUri }), expiresAt }
}
