import { addMs } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId, newId } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { verifyLinkJob } from '../job-definitions.ts'
import { findActiveLink, insertLink } from './store.ts'
import { providerLink } from '../machine.ts'
import { sealCredentials, type Provider, type ProviderLink } from './provider-link.ts'
import type { VerifiedAccount } from './verify-credentials.ts'

/**
 * Stores credentials that the provider has just accepted, sealed. Of racing links to one account one wins (STBL-6).
 * Fails: CONFLICT while another link to the same account is active.
 */
export async function linkProviderAccount(
  work: Work,
  { provider, verified }: { provider: Provider; verified: VerifiedAccount },
): Promise<ProviderLink> {
  const { tx, platform, now, keyring } = work
  const { providerAccountId, verifyAgainAfterMs } = verified
  const id = newId('stablecoinProviderAccount')
  const credentials = sealCredentials(keyring, id, verified.credentials)
  const link: ProviderLink = {
    id,
    provider,
    providerAccountId,
    status: providerLink.initial,
    servedBy: verified.servedBy,
    lastVerifiedAt: now,
    createdAt: now,
    updatedAt: now,
  }
  if (!(await insertLink(tx, platform.id, { ...link, credentials }))) {
    const active = await findActiveLink(tx, platform.id, link)
    fail('CONFLICT', {
      ...(active && {
        stablecoinProviderAccountId: formatId('stablecoinProviderAccount', active.id),
      }),
    })
  }
  if (verifyAgainAfterMs !== undefined) {
    enqueue(work, verifyLinkJob, { linkId: id }, { dueAt: addMs(now, verifyAgainAfterMs) })
  }
  return link
}
