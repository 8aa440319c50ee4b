import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockLink } from './store.ts'
import { moveLink } from './move-link.ts'
import type { ProviderLink } from './provider-link.ts'

/**
 * Revokes a link on the operator's command (`florin stablecoins revoke-link`).
 * Fails: STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND, INVALID_STATE_TRANSITION where it is revoked already.
 */
export async function revokeLink(
  work: Work,
  id: Id<'stablecoinProviderAccount'>,
): Promise<ProviderLink> {
  const link = await lockLink(work.tx, work.platform.id, id)
  return moveLink(work, link ?? failNotFound('stablecoinProviderAccount'), 'revoke')
}
