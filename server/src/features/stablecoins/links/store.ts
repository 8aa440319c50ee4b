import type { Id } from '../../../kernel/ids.ts'
import type { PageByCreation } from '../../../kernel/page.ts'
import { afterCreation, byCreation, countCapped } from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { findPlatformOf } from '../../../infra/platforms.ts'
import type { LinkStatus } from '../machine.ts'
import type { Provider, ProviderLink, SealedLink } from './provider-link.ts'

type PlatformId = Id<'platform'>
type LinkId = Id<'stablecoinProviderAccount'>

const COLUMNS = sql`id, provider, provider_account_id, status, served_by, last_verified_at, created_at, updated_at`
const SEALED = sql`${COLUMNS}, credentials`

/** False where the same account has an active link already (STBL-6). */
export async function insertLink(
  tx: Tx,
  platformId: PlatformId,
  link: SealedLink,
): Promise<boolean> {
  const inserted = await tx.run(
    sql`insert into stablecoin_provider_accounts (platform_id, id, provider, provider_account_id, status, credentials,
          served_by, last_verified_at, created_at, updated_at)
        values (${platformId}, ${link.id}, ${link.provider}, ${link.providerAccountId}, ${link.status},
          ${link.credentials}, ${link.servedBy}, ${link.lastVerifiedAt}, ${link.createdAt}, ${link.updatedAt})
        on conflict (platform_id, provider, provider_account_id) where status = 'ACTIVE' do nothing`,
  )
  return inserted === 1
}

export async function findActiveLink(
  tx: Tx,
  platformId: PlatformId,
  account: Pick<ProviderLink, 'provider' | 'providerAccountId'>,
): Promise<ProviderLink | undefined> {
  return tx.find<ProviderLink>(
    sql`select ${COLUMNS} from stablecoin_provider_accounts
        where platform_id = ${platformId} and provider = ${account.provider}
          and provider_account_id = ${account.providerAccountId} and status = 'ACTIVE'`,
  )
}

export async function findLink(
  tx: Tx,
  platformId: PlatformId,
  id: LinkId,
): Promise<ProviderLink | undefined> {
  return tx.find<ProviderLink>(
    sql`select ${COLUMNS} from stablecoin_provider_accounts where platform_id = ${platformId} and id = ${id}`,
  )
}

export async function findSealedLink(
  tx: Tx,
  platformId: PlatformId,
  id: LinkId,
): Promise<SealedLink | undefined> {
  return tx.find<SealedLink>(
    sql`select ${SEALED} from stablecoin_provider_accounts where platform_id = ${platformId} and id = ${id}`,
  )
}

export async function lockLink(
  tx: Tx,
  platformId: PlatformId,
  id: LinkId,
): Promise<ProviderLink | undefined> {
  return tx.maybe<ProviderLink>(
    sql`select ${COLUMNS} from stablecoin_provider_accounts
        where platform_id = ${platformId} and id = ${id} for no key update`,
  )
}

/** Up to two links, the most usable first: enough to choose one, or to say why none is chosen (STBL-8). */
export async function listMostUsableLinks(tx: Tx, platformId: PlatformId): Promise<SealedLink[]> {
  return tx.many<SealedLink>(
    sql`select ${SEALED} from stablecoin_provider_accounts where platform_id = ${platformId}
        order by array_position(array['ACTIVE', 'INVALID', 'REVOKED'], status), id desc limit 2`,
  )
}

export async function saveLinkStatus(
  tx: Tx,
  platformId: PlatformId,
  { id, status, at }: { id: LinkId; status: LinkStatus; at: Date },
): Promise<void> {
  await tx.run(
    sql`update stablecoin_provider_accounts set status = ${status}, updated_at = ${at}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

export async function saveLinkVerified(
  tx: Tx,
  platformId: PlatformId,
  { id, at }: { id: LinkId; at: Date },
): Promise<void> {
  await tx.run(
    sql`update stablecoin_provider_accounts set last_verified_at = ${at}, updated_at = ${at}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

export const findPlatformOfLink = (tx: Tx, id: LinkId) =>
  findPlatformOf(tx, sql`stablecoin_provider_accounts`, id)

export type LinkFilters = Readonly<{
  provider?: Provider | undefined
  status?: LinkStatus | undefined
}>

function matching(platformId: PlatformId, { provider, status }: LinkFilters): Sql[] {
  return [
    sql`platform_id = ${platformId}`,
    ...when(provider, (name) => sql`provider = ${name}`),
    ...when(status, (word) => sql`status = ${word}`),
  ]
}

/** Newest first. */
export async function listLinks(
  tx: Tx,
  platformId: PlatformId,
  page: Readonly<{ filters: LinkFilters }> & PageByCreation,
): Promise<ProviderLink[]> {
  const { filters, after, fetch } = page
  const conditions = [...matching(platformId, filters), ...afterCreation(after)]
  return tx.many<ProviderLink>(
    sql`select ${COLUMNS} from stablecoin_provider_accounts where ${sql.and(conditions)}
        order by ${byCreation()} limit ${fetch}`,
  )
}

export const countLinks = (tx: Tx, platformId: PlatformId, filters: LinkFilters): Promise<number> =>
  countCapped(tx, sql`stablecoin_provider_accounts where ${sql.and(matching(platformId, filters))}`)
