/**
 * Counts payments, events and ledger entries into hours. Each statement serves all platforms at once and reads by an
 * index on time that other queries need anyway: nothing is added to the path of a payment.
 */
import { firstUuidAt, type Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { timeOfId } from '../../infra/db/statement/resource-key.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { BALANCE_FIGURE, PAYMENT_FIGURES } from './figure.ts'

/** A time of a platform, from its first instant on and before its last. */
export type Span = Readonly<{ platformId: Id<'platform'>; from: Date; until: Date }>

const SPAN: Columns<Span> = {
  platform_id: ['uuid', (span) => span.platformId],
  from_at: ['timestamptz', (span) => span.from],
  until_at: ['timestamptz', (span) => span.until],
  from_id: ['uuid', (span) => firstUuidAt(span.from)],
  until_id: ['uuid', (span) => firstUuidAt(span.until)],
}

const spansOf = (spans: readonly Span[]): Sql => given('s', SPAN, spans)

const hourOf = (id: Sql): Sql => sql`date_trunc('hour', ${timeOfId(id)})`

export type Hour = Readonly<{ platformId: Id<'platform'>; hour: Date }>

const OPEN = sql`'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'`

/**
 * Hours in which a payment has ended or failed since they were counted. A completed payment may still fail when its
 * bank returns it, and what is open may become anything; nothing else changes.
 */
export const listChangedPaymentHours = (tx: Tx, spans: readonly Span[]): Promise<Hour[]> =>
  tx.many<Hour>(
    sql`select distinct platform_id, hour from (
          select platform_id, hour, outcome from (
            select s.platform_id, date_trunc('hour', t.created_at) as hour,
              case t.status when 'FAILED' then 'failed' else 'pending' end as outcome, 1 as n
            from ${spansOf(spans)} cross join lateral (
              select created_at, status from transactions
              where platform_id = s.platform_id and status in (${OPEN}, 'FAILED')
                and created_at >= s.from_at and created_at < s.until_at) t
            union all
            select s.platform_id, f.hour, f.outcome, -f.count
            from ${spansOf(spans)} cross join lateral (
              select hour, split_part(name, '.', 2) as outcome, count from hourly_figures
              where platform_id = s.platform_id and name in ('out.pending', 'in.pending', 'out.failed', 'in.failed')
                and hour >= s.from_at and hour < s.until_at) f
          ) counted
          group by 1, 2, 3 having sum(n) <> 0
        ) changed`,
  )

/** The name of the figure that a transaction counts in. */
const PAYMENT_NAME = sql`case type
    when 'CARD' then case status when 'DECLINED' then 'cards.declined' else 'cards.approved' end
    else case type when 'OUTGOING' then 'out.' else 'in.' end || case
      when status in (${OPEN}) then 'pending'
      when status = 'COMPLETED' then 'completed'
      when status = 'EXPIRED' then 'expired'
      else 'failed' end
  end`

/** What leaves in what was sent, what arrives in what was received; a card's answers are only counted. */
const [PAYMENT_CURRENCY, PAYMENT_AMOUNT] = [
  sql`case type when 'OUTGOING' then sent_currency when 'INCOMING' then received_currency end`,
  sql`case type when 'OUTGOING' then sent_amount when 'INCOMING' then received_amount end`,
]

/** Counts payments again that were created in these hours; what comes back to a card is no answer to it. */
export async function countPayments(tx: Tx, spans: readonly Span[]): Promise<void> {
  await tx.run(
    sql`delete from hourly_figures f using ${spansOf(spans)}
        where f.platform_id = s.platform_id and f.name = any(${PAYMENT_FIGURES}::text[])
          and f.hour >= s.from_at and f.hour < s.until_at`,
  )
  await tx.run(
    sql`insert into hourly_figures (platform_id, name, hour, currency, count, amount)
        select s.platform_id, t.name, t.hour, t.currency, count(*), coalesce(sum(t.amount), 0)
        from ${spansOf(spans)} cross join lateral (
          select ${PAYMENT_NAME} as name, date_trunc('hour', created_at) as hour,
            coalesce(${PAYMENT_CURRENCY}, '') as currency, ${PAYMENT_AMOUNT} as amount
          from transactions
          where platform_id = s.platform_id and created_at >= s.from_at and created_at < s.until_at
            and (type <> 'CARD' or direction is distinct from 'CREDIT')) t
        group by 1, 2, 3, 4`,
  )
}

/** Hours of events that were waiting when they were counted and wait no more, or wait again. */
export const listChangedEventHours = (tx: Tx, spans: readonly Span[]): Promise<Hour[]> =>
  tx.many<Hour>(
    sql`select platform_id, hour from (
          select s.platform_id, ${hourOf(sql`a.event_id`)} as hour, 1 as n
          from ${spansOf(spans)} cross join lateral (
            select event_id from event_attempts
            where platform_id = s.platform_id and at is null and number is not null
              and event_id >= s.from_id and event_id < s.until_id) a
          union all
          select s.platform_id, f.hour, -f.count
          from ${spansOf(spans)} cross join lateral (
            select hour, count from hourly_figures
            where platform_id = s.platform_id and name = 'events.pending'
              and hour >= s.from_at and hour < s.until_at) f
        ) counted
        group by 1, 2 having sum(n) <> 0`,
  )

/** Counts events again that came about in these hours. Delivered ones that are pruned meanwhile stay counted. */
export async function countEvents(tx: Tx, spans: readonly Span[]): Promise<void> {
  await tx.run(
    sql`delete from hourly_figures f using ${spansOf(spans)}
        where f.platform_id = s.platform_id and f.name in ('events.pending', 'events.failed')
          and f.hour >= s.from_at and f.hour < s.until_at`,
  )
  await tx.run(
    sql`insert into hourly_figures as f (platform_id, name, hour, count)
        select s.platform_id, 'events.' || lower(d.status), d.hour, count(*)
        from ${spansOf(spans)} cross join lateral (
          select status, ${hourOf(sql`event_id`)} as hour from event_deliveries
          where platform_id = s.platform_id and event_id >= s.from_id and event_id < s.until_id
            and status <> 'SKIPPED') d
        group by 1, 2, 3
        on conflict (platform_id, name, hour, currency) do update set count = greatest(f.count, excluded.count)`,
  )
}

/** Adds what entries with ids of these times changed; the caller moves the mark in the same transaction. */
export async function addBalanceChanges(tx: Tx, spans: readonly Span[]): Promise<void> {
  await tx.run(
    sql`insert into hourly_figures as f (platform_id, name, hour, currency, amount)
        select s.platform_id, ${BALANCE_FIGURE}, e.hour, e.currency, sum(e.amount)
        from ${spansOf(spans)} cross join lateral (
          select date_trunc('hour', j.at) as hour, l.currency, l.amount
          from ledger_entries l
            join ledger_journals j on j.platform_id = l.platform_id and j.id = l.journal_id
          where l.platform_id = s.platform_id and l.journal_id >= s.from_id and l.journal_id < s.until_id
            and l.account like 'IA:%') e
        group by 1, 2, 3, 4
        on conflict (platform_id, name, hour, currency) do update set amount = f.amount + excluded.amount`,
  )
}
