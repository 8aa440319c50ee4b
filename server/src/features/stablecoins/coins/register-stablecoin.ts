import { addMs } from '../../../kernel/clock.ts'
import { failNotFound, newId } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { bindToLink } from './bind-to-link.ts'
import { insertStablecoin } from './store.ts'
import type { DescribedToken } from './describe-token.ts'
import { followIssuanceJob } from '../job-definitions.ts'
import { lockLink } from '../links/store.ts'
import type { RegisterRequest } from '../schema.ts'
import type { Stablecoin } from './stablecoin.ts'
import { mustBeUsable } from '../links/usable-link.ts'

/**
 * Registers a coin as the provider has just described it, or binds a registered coin whose link does not work any more.
 * Of racing registrations one wins (STBL-9, STBL-24).
 * Fails: CONFLICT where the token is registered already, STABLECOIN_PROVIDER_ACCOUNT_INVALID and
 * STABLECOIN_PROVIDER_ACCOUNT_REVOKED where the link became so meanwhile.
 */
export async function registerStablecoin(
  work: Work,
  { request, token }: { request: RegisterRequest; token: DescribedToken },
): Promise<Stablecoin> {
  const { tx, platform, now } = work
  const link = await lockLink(tx, platform.id, token.link.id)
  mustBeUsable(link ?? failNotFound('stablecoinProviderAccount'))
  const { describeAgainAfterMs, ...description } = token.description
  const coin: Stablecoin = {
    ...description,
    id: newId('stablecoin'),
    linkId: token.link.id,
    provider: token.link.provider,
    providerTokenIdentifier: request.providerTokenIdentifier,
    network: request.network,
    networkTokenIdentifier: request.networkTokenIdentifier,
    serviceOperationsStatus: 'NOT_ENABLED',
    createdAt: now,
    updatedAt: now,
  }
  const isNew = await insertStablecoin(tx, platform.id, coin)
  const registered = isNew ? coin : await bindToLink(work, coin, token.link)
  if (describeAgainAfterMs !== undefined) {
    enqueue(
      work,
      followIssuanceJob,
      { stablecoinId: registered.id },
      { dueAt: addMs(registered.createdAt, describeAgainAfterMs) },
    )
  }
  return registered
}
