import { fail } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { findSealedLink, listMostUsableLinks } from './store.ts'
import type { LinkStatus } from '../machine.ts'
import type { SealedLink } from './provider-link.ts'

/** Fails: STABLECOIN_PROVIDER_ACCOUNT_INVALID, STABLECOIN_PROVIDER_ACCOUNT_REVOKED. */
export function mustBeUsable({ status }: { status: LinkStatus }): void {
  if (status === 'INVALID') fail('STABLECOIN_PROVIDER_ACCOUNT_INVALID')
  if (status === 'REVOKED') fail('STABLECOIN_PROVIDER_ACCOUNT_REVOKED')
}

/**
 * Chooses the named link, or the only active one (STBL-8).
 * Fails: STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND, STABLECOIN_PROVIDER_ACCOUNT_INVALID,
 * STABLECOIN_PROVIDER_ACCOUNT_REVOKED, STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED.
 */
export async function chooseLink(
  tx: Tx,
  platformId: Id<'platform'>,
  named: Id<'stablecoinProviderAccount'> | undefined,
): Promise<SealedLink> {
  const [first, second] = named
    ? [await findSealedLink(tx, platformId, named)]
    : await listMostUsableLinks(tx, platformId)
  if (!first) return failNotFound('stablecoinProviderAccount')
  mustBeUsable(first)
  if (second?.status === 'ACTIVE') fail('STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED')
  return first
}
