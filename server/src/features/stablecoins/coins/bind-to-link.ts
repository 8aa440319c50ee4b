import { fail } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockRegistered, saveBoundCoin, type RegisteredCoin } from './store.ts'
import { moveUnstartedOperations } from '../operations/store.ts'
import type { ProviderLink } from '../links/provider-link.ts'
import type { Stablecoin } from './stablecoin.ts'

/** A coin can be bound again if it is the same token of the same provider account and its link does not work (STBL-24). */
const isBindable = (
  registered: RegisteredCoin,
  asked: Stablecoin,
  { provider, providerAccountId }: ProviderLink,
): boolean =>
  registered.linkStatus !== 'ACTIVE' &&
  registered.networkTokenIdentifier === asked.networkTokenIdentifier &&
  registered.providerTokenIdentifier === asked.providerTokenIdentifier &&
  registered.provider === provider &&
  registered.providerAccountId === providerAccountId

/**
 * Binds a registered coin to a working link and takes over the provider's current description. Operations that the
 * provider has not answered yet go on under the new link; all others end under the old one.
 * Fails: CONFLICT (STBL-9).
 */
export async function bindToLink(
  work: Work,
  asked: Stablecoin,
  link: ProviderLink,
): Promise<Stablecoin> {
  const { tx, platform, now } = work
  const registered = await lockRegistered(tx, platform.id, asked)
  const obstacle = registered.find((coin) => !isBindable(coin, asked, link))
  const [before] = registered
  if (obstacle || !before) {
    return fail('CONFLICT', obstacle && { stablecoinId: formatId('stablecoin', obstacle.id) })
  }
  const { linkStatus: _status, providerAccountId: _account, ...coin } = before
  const { name, symbol, decimals, issuanceStatus } = asked
  const bound: Stablecoin = {
    ...coin,
    linkId: link.id,
    name,
    symbol,
    decimals,
    issuanceStatus,
    updatedAt: now,
  }
  await saveBoundCoin(tx, platform.id, bound)
  await moveUnstartedOperations(tx, platform.id, bound)
  const [from, to] = [before.linkId, link.id].map((id) => formatId('stablecoinProviderAccount', id))
  audit(work, {
    action: 'stablecoin.bound',
    resource: formatId('stablecoin', bound.id),
    note: `from ${from} to ${to}`,
  })
  return bound
}
