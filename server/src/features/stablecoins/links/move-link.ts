import { formatId } from '../../../kernel/ids.ts'
import { advance } from '../../../kernel/machine.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Work } from '../../../infra/work/work.ts'
import { saveLinkStatus } from './store.ts'
import { providerLink, type LinkEvent } from '../machine.ts'
import type { ProviderLink } from './provider-link.ts'

/**
 * Moves a locked link. Operations that run through it fail at their next step.
 * Fails: INVALID_STATE_TRANSITION.
 */
export async function moveLink(
  work: Work,
  link: ProviderLink,
  event: LinkEvent,
): Promise<ProviderLink> {
  const { tx, platform, now } = work
  const status = advance(providerLink, link.status, event)
  await saveLinkStatus(tx, platform.id, { id: link.id, status, at: now })
  audit(work, {
    action: `stablecoinProviderAccount.${status}`,
    resource: formatId('stablecoinProviderAccount', link.id),
  })
  return { ...link, status, updatedAt: now }
}
