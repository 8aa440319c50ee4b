import { CHAIN_START } from '../../crypto/audit/chain-hash.ts'
import type { Id } from '../../kernel/ids.ts'
import { timeOfId } from '../../infra/db/statement/resource-key.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

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

/** For how long, in milliseconds, the first entry has waited for its link; its age is in its id. */
export async function readChainLag(tx: Tx, now: Date): Promise<number> {
  const { since } = await tx.one<{ since: Date | null }>(
    sql`select min(${timeOfId(sql`a.id`)}) as since from platforms p cross join lateral (
          select id from audit_pending where platform_id = p.id order by id limit 1) a`,
  )
  return since === null ? 0 : Math.max(0, now.getTime() - since.getTime())
}

/** Members in the order of their names, as `chainHash` has them: canonical JSON (RFC 8785). */
const CANONICAL = sql`'{"action":' || to_json(e.action) || ',"actor":' || to_json(e.actor) || ',"at":"' || e.at
  || '","id":"' || e.id || '"' || coalesce(',"noteDigest":"' || encode(e.note_digest, 'hex') || '"', '')
  || ',"platformId":"Platform:' || p.platform_id || '","requestId":' || to_json(e.request_id)
  || coalesce(',"resource":' || to_json(e.resource), '') || ',"seq":' || p.seq || '}'`

/**
 * Takes up to so many rows off the queue and chains their entries, by platform in the order in which they were queued.
 * Each entry and its link are looked up by their whole keys: a plan made while the tables
 * were small would otherwise read all entries of the platform for each row.
 */
export const chainQueued = (
  tx: Tx,
  { limit, now }: Readonly<{ limit: number; now: Date }>,
): Promise<number> =>
  tx.run(
    sql`with taken as (
          delete from audit_pending where ctid = any (array(select ctid from audit_pending limit ${limit}))
          returning platform_id, id, entries
        ), heads as (
          select t.platform_id, coalesce(c.seq, 0) as seq, coalesce(c.hash, ${CHAIN_START}::bytea) as hash
          from (select distinct platform_id from taken) t
            left join lateral (
              select seq, hash from audit_chain where platform_id = t.platform_id order by seq desc limit 1) c on true
        ), placed as (
          select t.platform_id, u.entry_id, h.hash as head,
            h.seq + row_number() over (partition by t.platform_id order by t.id, u.place) as seq
          from taken t join heads h using (platform_id)
            cross join lateral unnest(t.entries) with ordinality as u (entry_id, place)
          where u.entry_id is distinct from (
            select c.entry_id from audit_chain c where c.platform_id = t.platform_id and c.entry_id >= u.entry_id
            order by c.entry_id limit 1)
        )
        insert into audit_chain (platform_id, seq, entry_id, hash, chained_at)
        select p.platform_id, p.seq, p.entry_id,
          chained_audit_hash(p.head, ${CANONICAL}) over (partition by p.platform_id order by p.seq rows unbounded preceding),
          ${now}
        from placed p
          cross join lateral (
            select ${ENTRY} from audit_entries e where e.platform_id = p.platform_id and e.id = p.entry_id offset 0) e`,
  )

export type Head = Readonly<{ platformId: Id<'platform'>; seq: bigint; hash: Buffer }>

/** The last link of each chain. */
export const listHeads = (tx: Tx): Promise<Head[]> =>
  tx.many<Head>(
    sql`select p.id as platform_id, c.seq, c.hash from platforms p
        cross join lateral (
          select seq, hash from audit_chain where platform_id = p.id order by seq desc limit 1) c
        order by p.id`,
  )
