import type { Id } from '../kernel/ids.ts'
import type { Environment, Platform, PlatformKind } from '../kernel/platform.ts'
import { sql, type Sql } from './db/statement/sql.ts'
import type { Tx } from './db/tx.ts'

export type PlatformRow = Readonly<{
  id: Id<'platform'>
  name: string
  kind: PlatformKind
  environment: Environment
  clockOffsetMs: bigint
  skipVerificationPaperwork: boolean
  strictIdentifiers: boolean
  travelRule: boolean
}>

export const PLATFORM_COLUMNS = sql`p.id, p.name, p.kind, p.environment, p.clock_offset_ms,
  p.skip_verification_paperwork, p.strict_identifiers, p.travel_rule`

export function toPlatform(row: PlatformRow): Platform {
  const { id, name, kind, environment, skipVerificationPaperwork, strictIdentifiers, travelRule } =
    row
  return {
    id,
    name,
    kind,
    environment,
    clockOffsetMs: Number(row.clockOffsetMs),
    skipVerificationPaperwork,
    strictIdentifiers,
    travelRule,
  }
}

export async function findPlatform(tx: Tx, id: Id<'platform'>): Promise<Platform | undefined> {
  const row = await tx.maybe<PlatformRow>(
    sql`select ${PLATFORM_COLUMNS} from platforms p where p.id = ${id}`,
  )
  return row && toPlatform(row)
}

/**
 * The platform of a row that is named by its id alone, as the operator does. Every platform is asked, since all tables
 * are keyed by platform first.
 */
export async function findPlatformOf(
  tx: Tx,
  table: Sql,
  id: string,
): Promise<Id<'platform'> | undefined> {
  const row = await tx.maybe<{ id: Id<'platform'> }>(
    sql`select p.id from platforms p
        cross join lateral (select from ${table} where platform_id = p.id and id = ${id}) r`,
  )
  return row?.id
}
