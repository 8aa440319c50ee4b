import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { addMs } from '../../kernel/clock.ts'
import { BALANCE_FIGURE, BY_PLATFORM_CLOCK, BY_REAL_TIME, KEPT_MS } from './figure.ts'

/** Counting what waits stops here: more tells nothing more. */
const COUNTED_MAX = 10_000

/** What waits at this moment; of an hour the most is kept. */
export async function measureWaiting(
  tx: Tx,
  { now, hour }: Readonly<{ now: Date; hour: Date }>,
): Promise<void> {
  await tx.run(
    sql`insert into hourly_figures as f (platform_id, name, hour, count)
        select w.platform_id, w.name, ${hour}, w.count from (
          select p.id as platform_id, g.name, g.count from platforms p cross join lateral (
            select 'webhooks.waiting' as name, count(*) as count from (
              select from event_attempts where platform_id = p.id and at is null limit ${COUNTED_MAX}) a
            union all
            select 'jobs.late', count(*) from (
              select from jobs where platform_id = p.id and state = 'WAITING'
                and due_at < ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond' - interval '1 minute'
              limit ${COUNTED_MAX}) j
            union all
            select 'jobs.dead', count(*) from jobs where platform_id = p.id and state = 'DEAD'
            union all
            select 'reviews.open', count(*) from (
              select from verifications where platform_id = p.id and status = 'PENDING_MANUAL_REVIEW'
              limit ${COUNTED_MAX}) v) g
          union all
          select platform_id, 'orders.open', count(*) from provider_orders
          where state in ('QUEUED', 'UNKNOWN', 'ACCEPTED', 'SENT') group by 1
          union all
          select platform_id, 'exceptions.open', count(*) from exceptions where status = 'OPEN' group by 1
        ) w
        where w.count > 0
        on conflict (platform_id, name, hour, currency) do update set count = greatest(f.count, excluded.count)`,
  )
}

/** Where changes of balances older than what is shown are summed up. */
const BEGINNING = new Date(0)

/** Removes figures that are shown no more. What balances were by then goes on to be known. */
export async function pruneFigures(tx: Tx, now: Date): Promise<void> {
  await tx.run(
    sql`with old as (
          delete from hourly_figures f using platforms p
          where f.platform_id = p.id and f.hour > ${BEGINNING}
            and ((f.name = any(${BY_REAL_TIME}::text[]) and f.hour < ${addMs(now, -KEPT_MS)})
              or (f.name = any(${BY_PLATFORM_CLOCK}::text[])
                and f.hour < ${addMs(now, -KEPT_MS)}::timestamptz + p.clock_offset_ms * interval '1 millisecond'))
          returning f.platform_id, f.name, f.currency, f.amount
        )
        insert into hourly_figures as f (platform_id, name, hour, currency, amount)
        select platform_id, name, ${BEGINNING}, currency, sum(amount) from old
        where name = ${BALANCE_FIGURE} group by 1, 2, 4
        on conflict (platform_id, name, hour, currency) do update set amount = f.amount + excluded.amount`,
  )
}
