import type { Id } from '../../kernel/ids.ts'
import type { PageByCreation } from '../../kernel/page.ts'
import type { Permission } from '../../kernel/access/permissions.ts'
import { afterCreation, byCreation, countCapped } from '../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

export type ApiToken = Readonly<{
  id: Id<'token'>
  name: string
  permissions: readonly Permission[]
  createdAt: Date
  updatedAt: Date
}>

const COLUMNS = sql`id, name, permissions, created_at, updated_at`

export async function insertToken(
  tx: Tx,
  platformId: Id<'platform'>,
  token: ApiToken & { secretDigest: Buffer },
): Promise<void> {
  await tx.run(
    sql`insert into api_tokens (platform_id, id, name, permissions, secret_digest, created_at, updated_at)
        values (${platformId}, ${token.id}, ${token.name}, ${token.permissions}::text[], ${token.secretDigest},
          ${token.createdAt}, ${token.updatedAt})`,
  )
}

export async function findToken(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'token'>,
): Promise<ApiToken | undefined> {
  return tx.find<ApiToken>(
    sql`select ${COLUMNS} from api_tokens
        where platform_id = ${platformId} and id = ${id} and deleted_at is null`,
  )
}

/** The live ones of these tokens, locked in id order until the transaction ends. */
export async function lockLiveTokens(
  tx: Tx,
  platformId: Id<'platform'>,
  ids: readonly Id<'token'>[],
): Promise<Id<'token'>[]> {
  const rows = await tx.many<{ id: Id<'token'> }>(
    sql`select id from api_tokens
        where platform_id = ${platformId} and id = any(${ids}::uuid[]) and deleted_at is null
        order by id for no key update`,
  )
  return rows.map(({ id }) => id)
}

export async function markTokenDeleted(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, at }: { id: Id<'token'>; at: Date },
): Promise<void> {
  await tx.run(
    sql`update api_tokens set deleted_at = ${at} where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Bounds include their start and exclude their end. */
export type TokenFilters = Readonly<{
  name: string | undefined
  createdFrom: Date | undefined
  createdUntil: Date | undefined
}>

function matching(platformId: Id<'platform'>, filters: TokenFilters): Sql[] {
  const { name, createdFrom, createdUntil } = filters
  return [
    sql`platform_id = ${platformId}`,
    sql`deleted_at is null`,
    ...when(name, (text) => sql`name = ${text}`),
    ...when(createdFrom, (at) => sql`created_at >= ${at}`),
    ...when(createdUntil, (at) => sql`created_at < ${at}`),
  ]
}

/** Newest first. */
export async function listTokens(
  tx: Tx,
  platformId: Id<'platform'>,
  page: Readonly<{ filters: TokenFilters }> & PageByCreation,
): Promise<ApiToken[]> {
  const { filters, after, fetch } = page
  const conditions = [...matching(platformId, filters), ...afterCreation(after)]
  return tx.many<ApiToken>(
    sql`select ${COLUMNS} from api_tokens where ${sql.and(conditions)}
        order by ${byCreation()} limit ${fetch}`,
  )
}

export const countTokens = (
  tx: Tx,
  platformId: Id<'platform'>,
  filters: TokenFilters,
): Promise<number> =>
  countCapped(tx, sql`api_tokens where ${sql.and(matching(platformId, filters))}`)
