import type { Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** An entry with what is hashed of it; `at` to the last digit that the database keeps. */
export type EntryRow = Readonly<{
  platformId: Id<'platform'>
  id: string
  at: string
  actor: string
  action: string
  resource: string | null
  noteDigest: Buffer | null
  requestId: string
}>

/** Of `e`, beside its platform. */
export const ENTRY = sql`e.id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  e.actor, e.action, e.resource, e.note_digest, e.request_id`

/** Held to the end of the transaction: one process at a time appends to the chains. */
export async function lockChains(tx: Tx): Promise<boolean> {
  const { taken } = await tx.one<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('florin audit chain', 0)) as taken`,
  )
  return taken
}

export async function hasPending(tx: Tx): Promise<boolean> {
  return (await tx.maybe(sql`select 1 from audit_pending limit 1`)) !== undefined
}

/**
 * Takes up to so many rows off the queue: their entries in the order in which they are chained, by platform. Each entry and
 * its link are looked up by their whole keys: a plan made while the tables were small would otherwise read all entries of
 * the platform for each row.
 */
export const takePending = (tx: Tx, limit: number): Promise<EntryRow[]> =>
  tx.many<EntryRow>(
    sql`with taken as (
          delete from audit_pending where ctid = any (array(select ctid from audit_pending limit ${limit}))
          returning platform_id, id, entries
        )
        select t.platform_id, e.* from taken t
          cross join lateral unnest(t.entries) with ordinality as u (entry_id, place)
          cross join lateral (
            select ${ENTRY} from audit_entries e where e.platform_id = t.platform_id and e.id = u.entry_id offset 0) e
        where u.entry_id is distinct from (
          select c.entry_id from audit_chain c where c.platform_id = t.platform_id and c.entry_id >= u.entry_id
          order by c.entry_id limit 1)
        order by t.platform_id, t.id, u.place`,
  )

export type Head = Readonly<{ platformId: Id<'platform'>; seq: bigint; hash: Buffer }>

/** The last link of each of these chains, or of all. */
export const listHeads = (
  tx: Tx,
  platformIds: readonly Id<'platform'>[] | null = null,
): Promise<Head[]> =>
  tx.many<Head>(
    sql`select p.id as platform_id, c.seq, c.hash from platforms p
        cross join lateral (
          select seq, hash from audit_chain where platform_id = p.id order by seq desc limit 1) c
        where ${platformIds}::uuid[] is null or p.id = any (${platformIds}::uuid[])
        order by p.id`,
  )

export type Link = Head & Readonly<{ entryId: string }>

const LINK: Columns<Link> = {
  platform_id: ['uuid', (link) => link.platformId],
  seq: ['bigint', (link) => link.seq],
  entry_id: ['uuid', (link) => link.entryId],
  hash: ['bytea', (link) => link.hash],
}

export function appendLinks(tx: Tx, links: readonly Link[], now: Date): void {
  tx.trail(
    sql`insert into audit_chain (platform_id, seq, entry_id, hash, chained_at)
        select l.*, ${now}::timestamptz from ${given('l', LINK, links)}`,
  )
}
