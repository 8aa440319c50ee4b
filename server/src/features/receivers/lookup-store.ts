import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Lookup } from './lookup.ts'

/** The number of expired look-ups that each new one deletes. */
const CLEARED_MAX = 20

/** Writes a look-up with the commit and deletes some expired ones. */
export function insertLookup(
  tx: Tx,
  platformId: Id<'platform'>,
  { lookup, now }: Readonly<{ lookup: Lookup; now: Date }>,
): void {
  const { id, receiver, remoteAnswer, expiresAt } = lookup
  tx.queueWrite(
    sql`with cleared as (
          delete from lookups l using (
            select id from lookups where platform_id = ${platformId} and expires_at <= ${now}
            order by expires_at limit ${CLEARED_MAX} for update skip locked) gone
          where l.platform_id = ${platformId} and l.id = gone.id
        )
        insert into lookups (platform_id, id, receiver, remote_answer, expires_at)
        values (${platformId}, ${id}, ${receiver}, ${remoteAnswer === null ? null : sql.json(remoteAnswer)},
          ${expiresAt})`,
  )
}

export function findLookup(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'lookup'>,
): Promise<Lookup | undefined> {
  return tx.find<Lookup>(
    sql`select id, receiver, remote_answer, expires_at from lookups
        where platform_id = ${platformId} and id = ${id}`,
  )
}
