import type { Id } from '../../../kernel/ids.ts'
import type { PageByCreation } from '../../../kernel/page.ts'
import { afterCreation, byCreation, countCapped } from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { findPlatformOf } from '../../../infra/platforms.ts'
import type { IssuanceStatus } from '../../../providers/stablecoin-issuer.ts'
import type { LinkStatus } from '../machine.ts'
import type { Provider } from '../links/provider-link.ts'
import type { ServiceOperationsStatus, Stablecoin } from './stablecoin.ts'

type PlatformId = Id<'platform'>
type CoinId = Id<'stablecoin'>

const COLUMNS = sql`id, link_id, provider, provider_token_identifier, network, network_token_identifier, name, symbol,
  base_currency, decimals, issuance_status, service_operations_status, created_at, updated_at`

/** False where the token is registered already (STBL-9). */
export async function insertStablecoin(
  tx: Tx,
  platformId: PlatformId,
  coin: Stablecoin,
): Promise<boolean> {
  const inserted = await tx.run(
    sql`insert into stablecoins (platform_id, id, link_id, provider, provider_token_identifier, network,
          network_token_identifier, name, symbol, base_currency, decimals, issuance_status, service_operations_status,
          created_at, updated_at)
        values (${platformId}, ${coin.id}, ${coin.linkId}, ${coin.provider}, ${coin.providerTokenIdentifier},
          ${coin.network}, ${coin.networkTokenIdentifier}, ${coin.name}, ${coin.symbol}, ${coin.baseCurrency},
          ${coin.decimals}, ${coin.issuanceStatus}, ${coin.serviceOperationsStatus}, ${coin.createdAt},
          ${coin.updatedAt})
        on conflict do nothing`,
  )
  return inserted === 1
}

/** A coin that conflicts with a registration, with its link. */
export type RegisteredCoin = Stablecoin &
  Readonly<{ linkStatus: LinkStatus; providerAccountId: string }>

/** Locks the coins, at most two, that conflict with a registration. */
export async function lockRegistered(
  tx: Tx,
  platformId: PlatformId,
  coin: Pick<Stablecoin, 'linkId' | 'networkTokenIdentifier' | 'providerTokenIdentifier'>,
): Promise<RegisteredCoin[]> {
  return tx.many<RegisteredCoin>(
    sql`select s.*, l.status as link_status, l.provider_account_id from (
          select ${COLUMNS} from stablecoins
          where platform_id = ${platformId} and (network_token_identifier = ${coin.networkTokenIdentifier}
            or (link_id = ${coin.linkId} and provider_token_identifier = ${coin.providerTokenIdentifier}))
          order by id for no key update) s
        join stablecoin_provider_accounts l on l.platform_id = ${platformId} and l.id = s.link_id`,
  )
}

/** When a token was first registered. */
export async function findRegistrationTime(
  tx: Tx,
  platformId: PlatformId,
  networkTokenIdentifier: string,
): Promise<Date | undefined> {
  const row = await tx.find<Pick<Stablecoin, 'createdAt'>>(
    sql`select created_at from stablecoins
        where platform_id = ${platformId} and network_token_identifier = ${networkTokenIdentifier}`,
  )
  return row?.createdAt
}

/** Saves the new link of a locked coin, with the provider's description. */
export async function saveBoundCoin(
  tx: Tx,
  platformId: PlatformId,
  coin: Stablecoin,
): Promise<void> {
  await tx.run(
    sql`update stablecoins set link_id = ${coin.linkId}, name = ${coin.name}, symbol = ${coin.symbol},
          decimals = ${coin.decimals}, issuance_status = ${coin.issuanceStatus}, updated_at = ${coin.updatedAt}
        where platform_id = ${platformId} and id = ${coin.id}`,
  )
}

export async function findStablecoin(
  tx: Tx,
  platformId: PlatformId,
  id: CoinId,
): Promise<Stablecoin | undefined> {
  return tx.find<Stablecoin>(
    sql`select ${COLUMNS} from stablecoins where platform_id = ${platformId} and id = ${id}`,
  )
}

export async function lockStablecoin(
  tx: Tx,
  platformId: PlatformId,
  id: CoinId,
): Promise<Stablecoin | undefined> {
  return tx.maybe<Stablecoin>(
    sql`select ${COLUMNS} from stablecoins where platform_id = ${platformId} and id = ${id} for no key update`,
  )
}

export async function saveIssuanceStatus(
  tx: Tx,
  platformId: PlatformId,
  { id, status, at }: { id: CoinId; status: IssuanceStatus; at: Date },
): Promise<void> {
  await tx.run(
    sql`update stablecoins set issuance_status = ${status}, updated_at = ${at}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

export async function saveServiceOperationsStatus(
  tx: Tx,
  platformId: PlatformId,
  { id, status, at }: { id: CoinId; status: ServiceOperationsStatus; at: Date },
): Promise<void> {
  await tx.run(
    sql`update stablecoins set service_operations_status = ${status}, updated_at = ${at}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

export const findPlatformOfStablecoin = (tx: Tx, id: CoinId) =>
  findPlatformOf(tx, sql`stablecoins`, id)

export type CoinFilters = Readonly<{
  issuanceStatus?: IssuanceStatus | undefined
  serviceOperationsStatus?: ServiceOperationsStatus | undefined
  provider?: Provider | undefined
}>

function matching(platformId: PlatformId, filters: CoinFilters): Sql[] {
  const { issuanceStatus, serviceOperationsStatus, provider } = filters
  return [
    sql`platform_id = ${platformId}`,
    ...when(issuanceStatus, (status) => sql`issuance_status = ${status}`),
    ...when(serviceOperationsStatus, (status) => sql`service_operations_status = ${status}`),
    ...when(provider, (name) => sql`provider = ${name}`),
  ]
}

/** Newest first. */
export async function listStablecoins(
  tx: Tx,
  platformId: PlatformId,
  page: Readonly<{ filters: CoinFilters }> & PageByCreation,
): Promise<Stablecoin[]> {
  const { filters, after, fetch } = page
  const conditions = [...matching(platformId, filters), ...afterCreation(after)]
  return tx.many<Stablecoin>(
    sql`select ${COLUMNS} from stablecoins where ${sql.and(conditions)}
        order by ${byCreation()} limit ${fetch}`,
  )
}

export const countStablecoins = (
  tx: Tx,
  platformId: PlatformId,
  filters: CoinFilters,
): Promise<number> =>
  countCapped(tx, sql`stablecoins where ${sql.and(matching(platformId, filters))}`)
