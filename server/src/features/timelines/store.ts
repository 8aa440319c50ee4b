import type { AnyId, Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { THINGS } from './things-store.ts'

/** In the order in which they are shown where several happened at one instant. */
export const LINE_KINDS = ['ACTION', 'BOOKED', 'ORDER', 'EVENT', 'ATTEMPT', 'DUE'] as const
export type LineKind = (typeof LINE_KINDS)[number]

/** What happened, or will happen, to something: one row of a timeline. */
export type TimelineRow = Readonly<{
  /** Tells rows of one kind and instant apart. */
  id: string
  at: Date
  kind: LineKind
  /** The action, the type of the journal, order or event, the name of the job. */
  what: string
  /** Who did it, or by whom it is done. */
  actor: string | null
  why: string | null
  amount: bigint | null
  currency: string | null
  /** What it is booked on, how the order or the delivery stands, what the endpoint answered. */
  state: string | null
}>

export type Subject = Readonly<{
  platformId: Id<'platform'>
  uuid: string
  /** All forms of its id: a quote and its transaction share their uuid. */
  resources: readonly string[]
  /** What its journals are booked under. */
  references: readonly string[]
  /** Of an internal account: the accounts of the ledger that it consists of. */
  accounts: readonly string[]
}>

export async function isOwned(
  tx: Tx,
  platformId: Id<'platform'>,
  { kind, id }: AnyId,
): Promise<boolean> {
  const thing = THINGS[kind]
  if (!thing) return false
  const { table, only = sql.empty } = thing
  const found = await tx.maybe<{ id: string }>(
    sql`select id from ${table} where platform_id = ${platformId} and id = ${id} ${only}`,
  )
  return found !== undefined
}

/** Jobs are few for one thing and many for a platform: those that are due next are looked through. */
const JOBS_WINDOW = 5_000
/** Of what is booked on an account the newest entries are shown. */
const ENTRIES_MAX = 200

/** Journals on internal accounts, orders to providers, attempts to deliver an event, and jobs that wait. */
export const listFacts = (tx: Tx, of: Subject): Promise<TimelineRow[]> =>
  tx.many<TimelineRow>(
    sql`with booked as (
          select j.at, j.type, e.position, e.amount, e.currency, e.account
          from ledger_journals j
            join ledger_entries e on e.platform_id = j.platform_id and e.journal_id = j.id
          where j.platform_id = ${of.platformId} and j.reference = any(${of.references}::text[])
            and e.account like 'IA:%'
          union
          select j.at, j.type, n.position, n.amount, n.currency, n.account
          from internal_accounts a
            cross join unnest(${of.accounts}::text[]) as part(account)
            cross join lateral (
              select * from ledger_entries e
              where e.platform_id = a.platform_id and e.account = part.account and e.account like 'IA:%'
                and e.currency = a.currency
              order by e.position desc limit ${ENTRIES_MAX}) n
            join ledger_journals j on j.platform_id = n.platform_id and j.id = n.journal_id
          where a.platform_id = ${of.platformId} and a.id = ${of.uuid}::uuid)
        select position::text as id, at, 'BOOKED' as kind, type as what, null::text as actor, null::text as why, amount,
          currency, account as state
        from booked
        union all
        select o.id::text, o.created_at, 'ORDER', o.type, 'provider:' || p.name, o.failure_reason, o.amount, o.currency,
          o.state
        from provider_orders o join providers p on p.id = o.provider_id
        where o.platform_id = ${of.platformId}
          and (o.transaction_id = ${of.uuid}::uuid or o.id = ${of.uuid}::uuid or o.subject = any(${of.resources}::text[]))
        union all
        select id::text, coalesce(at, due_at), case when at is null then 'DUE' else 'ATTEMPT' end, 'webhooks.deliver', null,
          error, null, null, response_status::text
        from event_attempts where platform_id = ${of.platformId} and event_id = ${of.uuid}::uuid
        union all
        select id::text, due_at, 'DUE', name, null, last_error, null, null, null
        from (select id, due_at, name, last_error, payload from jobs
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
    sql`select a.id::text as id, a.at, 'ACTION' as kind, a.action as what, a.actor, n.note as why,
          null::bigint as amount, null::text as currency, null::text as state
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
