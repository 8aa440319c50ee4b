/** How far the figures of each platform are kept up. */
import type { Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

export type Mark = Readonly<{
  platformId: Id<'platform'>
  clockOffsetMs: bigint
  paymentsFrom: Date
  eventsFrom: Date
  nextPaymentsFrom: Date
  nextEventsFrom: Date
  entriesUntil: Date
}>

/** Platforms without a mark begin with their creation, or as far back as figures are kept; the answer is which these are. */
export async function insertMissingMarks(
  tx: Tx,
  { now, oldest }: Readonly<{ now: Date; oldest: Date }>,
): Promise<readonly Id<'platform'>[]> {
  const added = await tx.many<{ platformId: Id<'platform'> }>(
    sql`insert into figure_marks (platform_id, payments_from, events_from, next_payments_from, next_events_from,
          entries_until, counted_at)
        select p.id, greatest(p.created_at, ${oldest}), greatest(p.created_at, ${oldest}),
          ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond', ${now}, p.created_at, ${now}
        from platforms p
        where not exists (select from figure_marks m where m.platform_id = p.id)
        on conflict do nothing returning platform_id`,
  )
  return added.map(({ platformId }) => platformId)
}

/** A count locks all of them, so that two processes never count at once. */
export const lockMarks = (tx: Tx): Promise<Mark[]> =>
  tx.many<Mark>(
    sql`select m.platform_id, p.clock_offset_ms, m.payments_from, m.events_from, m.next_payments_from,
          m.next_events_from, m.entries_until
        from figure_marks m join platforms p on p.id = m.platform_id
        order by m.platform_id for update of m`,
  )

const MARK: Columns<Mark> = {
  platform_id: ['uuid', (mark) => mark.platformId],
  payments_from: ['timestamptz', (mark) => mark.paymentsFrom],
  events_from: ['timestamptz', (mark) => mark.eventsFrom],
  next_payments_from: ['timestamptz', (mark) => mark.nextPaymentsFrom],
  next_events_from: ['timestamptz', (mark) => mark.nextEventsFrom],
  entries_until: ['timestamptz', (mark) => mark.entriesUntil],
}

export async function saveMarks(tx: Tx, marks: readonly Mark[], now: Date): Promise<void> {
  await tx.run(
    sql`update figure_marks m set payments_from = n.payments_from, events_from = n.events_from,
          next_payments_from = n.next_payments_from, next_events_from = n.next_events_from,
          entries_until = n.entries_until, counted_at = ${now}
        from ${given('n', MARK, marks)} where m.platform_id = n.platform_id`,
  )
}
