import { openJsonText } from '../../infra/db/sealed-json.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Id } from '../../kernel/ids.ts'

export type NumberedEvent = Readonly<{ sequence: bigint; id: Id<'webhook'>; body: string }>

/**
 * The first streamed events after a number, in order. Numbers of one platform are given one transaction after the other
 * (queue/dispatch.ts), so none appears below one that was read.
 */
export async function listNumbered(
  tx: Tx,
  platformId: Id<'platform'>,
  { after, limit }: Readonly<{ after: bigint; limit: number }>,
): Promise<NumberedEvent[]> {
  const events = await tx.many<NumberedEvent>(
    sql`select coalesce(d.sequence, 0) as sequence, e.id, e.body
        from event_deliveries d join events e on e.platform_id = d.platform_id and e.id = d.event_id
        where d.platform_id = ${platformId} and d.is_streamed and d.sequence > ${after}
        order by d.sequence limit ${limit}`,
  )
  return events.map((event) => ({
    ...event,
    body: openJsonText(tx.keyring, 'eventBody', { id: event.id, value: event.body }),
  }))
}

export type StreamState = Readonly<{
  eventStream: 'OPENING' | 'OPEN' | null
  lastSequence: bigint
  prunedSequence: bigint
}>

export const readStreamState = (tx: Tx, platformId: Id<'platform'>): Promise<StreamState> =>
  tx.one<StreamState>(
    sql`select p.event_stream, coalesce(c.last_sequence, 0) as last_sequence,
          coalesce(c.pruned_sequence, 0) as pruned_sequence
        from platforms p left join event_counters c on c.platform_id = p.id
        where p.id = ${platformId}`,
  )

export const setStreamOpening = (tx: Tx, platformId: Id<'platform'>): Promise<number> =>
  tx.run(
    sql`update platforms set event_stream = 'OPENING' where id = ${platformId} and event_stream is null`,
  )

export const setStreamOpen = (tx: Tx, platformId: Id<'platform'>): Promise<number> =>
  tx.run(sql`update platforms set event_stream = 'OPEN' where id = ${platformId}`)

/**
 * The transactions under way that have written events, or are about to; of these, where given, those that still are. A
 * statement locks the table before it takes its snapshot, so that one which is not listed sees what is committed by now.
 */
export async function listWriters(tx: Tx, among?: readonly string[]): Promise<string[]> {
  const found = await tx.many<{ writer: string }>(
    sql`select distinct coalesce(l.virtualtransaction, '') as writer from pg_locks l
        where l.locktype = 'relation' and l.relation = 'event_deliveries'::regclass and l.mode = 'RowExclusiveLock'
          and l.granted and l.pid <> pg_backend_pid()
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and (${among === undefined} or l.virtualtransaction = any(${among ?? []}::text[]))`,
  )
  return found.map(({ writer }) => writer)
}

/** The last number of each platform that has one. */
export const listCounters = (
  tx: Tx,
  platformIds: readonly Id<'platform'>[],
): Promise<{ platformId: Id<'platform'>; lastSequence: bigint }[]> =>
  tx.many(
    sql`select platform_id, last_sequence from event_counters where platform_id = any(${platformIds}::uuid[])`,
  )
