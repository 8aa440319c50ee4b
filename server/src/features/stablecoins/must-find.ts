import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { findStablecoin } from './coins/store.ts'
import { findLink } from './links/store.ts'
import { findOperation } from './operations/store.ts'
import type { ProviderLink } from './links/provider-link.ts'
import type { Stablecoin } from './coins/stablecoin.ts'
import type { StablecoinOperation } from './operations/stablecoin-operation.ts'

/** Fails: STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND. */
export async function mustFindLink(
  { tx, platform }: Work,
  id: Id<'stablecoinProviderAccount'>,
): Promise<ProviderLink> {
  return (await findLink(tx, platform.id, id)) ?? failNotFound('stablecoinProviderAccount')
}

/** Fails: REFERENCE_NOT_FOUND. */
export async function mustFindStablecoin(
  { tx, platform }: Work,
  id: Id<'stablecoin'>,
): Promise<Stablecoin> {
  return (await findStablecoin(tx, platform.id, id)) ?? failNotFound('stablecoin')
}

/** Fails: REFERENCE_NOT_FOUND, also for an operation that the provider does not know yet. */
export async function mustFindOperation(
  { tx, platform }: Work,
  id: Id<'stablecoinOperation'>,
): Promise<StablecoinOperation> {
  return (await findOperation(tx, platform.id, id)) ?? failNotFound('stablecoinOperation')
}
