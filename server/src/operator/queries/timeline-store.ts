import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** What happened, or will happen, to something: one row of a timeline. */
export type TimelineRow = Readonly<{
  at: Date
  kind: 'ACTION' | 'BOOKED' | 'ORDER' | 'DUE'
  /** The action, the type of the journal or the order, the name of the job. */
  what: string
  /** Who did it, or by whom it is done. */
  actor: string | null
  why: string | null
  amount: bigint | null
  currency: string | null
  /** What it is booked on, or how the order stands. */
  state: string | null
}>

export type Subject = Readonly<{
  platformId: Id<'platform'>
  uuid: string
  /** All forms of its id: a quote and its transaction share their uuid. */
  resources: readonly string[]
  /** What its journals are booked under. */
  references: readonly string[]
}>

/** Jobs are few for one thing and many for a platform: those that are due next are looked through. */
const JOBS_WINDOW = 5_000

/** Journals on internal accounts, orders to providers, and jobs that wait. */
export const listFacts = (tx: Tx, of: Subject): Promise<TimelineRow[]> =>
  tx.many<TimelineRow>(
    sql`select j.at, 'BOOKED' as kind, j.type as what, null::text as actor, null::text as why, e.amount, e.currency,
          e.account as state
        from ledger_journals j
          join ledger_entries e on e.platform_id = j.platform_id and e.journal_id = j.id
        where j.platform_id = ${of.platformId} and j.reference = any(${of.references}::text[])
          and e.account like 'IA:%'
        union all
        select o.created_at, 'ORDER', o.type, 'provider:' || p.name, o.failure_reason, o.amount, o.currency, o.state
        from provider_orders o join providers p on p.id = o.provider_id
        where o.platform_id = ${of.platformId}
          and (o.transaction_id = ${of.uuid}::uuid or o.subject = any(${of.resources}::text[]))
        union all
        select due_at, 'DUE', name, null, last_error, null, null, null
        from (select due_at, name, last_error, payload from jobs
              where platform_id = ${of.platformId} and state = 'WAITING'
              order by due_at, id limit ${JOBS_WINDOW}) w
        where position(${of.uuid}::text in w.payload::text) > 0`,
  )

const AUDIT_WINDOW = 500

/** Audit entries have no index by resource; ids rise with time, so that they are looked for where something happened. */
export const listActions = (
  tx: Tx,
  { platformId, resources }: Subject,
  places: readonly string[],
): Promise<TimelineRow[]> =>
  tx.many<TimelineRow>(
    sql`select a.at, 'ACTION' as kind, a.action as what, a.actor, n.note as why, null::bigint as amount,
          null::text as currency, null::text as state
        from (
          select distinct on (e.id) e.* from unnest(${places}::uuid[]) as place
          cross join lateral (select * from audit_entries where platform_id = ${platformId} and id >= place
            order by id limit ${AUDIT_WINDOW}) e
          where e.resource = any(${resources}::text[])
          union
          select * from audit_entries where platform_id = ${platformId} and resource = any(${resources}::text[])
            and (actor like 'operator%' or actor like 'local:%')) a
        left join audit_notes n on n.platform_id = a.platform_id and n.entry_id = a.id`,
  )
