import { addMs, DAY_MS } from '../../kernel/clock.ts'
import { firstUuidAt, isUuid, type Id } from '../../kernel/ids.ts'
import type { Period } from '../../kernel/page.ts'
import { HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import { ofPlatforms } from '../db/list-rows.ts'
import type { Database } from '../db/database.ts'
import { given, type Columns } from '../db/statement/given.ts'
import { sql, when } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { Settings } from '../settings/settings.ts'

/** A request as a list shows it. */
export type RequestLine = Readonly<{
  platformId: Id<'platform'>
  id: string
  clientRequestId: string | null
  at: Date
  method: string
  path: string
  operation: string | null
  status: number
  durationMs: number
  actor: string | null
  idempotencyKey: string | null
  error: string | null
}>

/** The same with what was sent, sealed, and the ids that stand in it. */
export type RequestRow = RequestLine &
  Readonly<{ content: Buffer | null; mentions: readonly string[] }>

const ROW: Columns<RequestRow> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  id: ['uuid', ({ id }) => id],
  client_request_id: ['text', ({ clientRequestId }) => clientRequestId],
  at: ['timestamptz', ({ at }) => at],
  method: ['text', ({ method }) => method],
  path: ['text', ({ path }) => path],
  operation: ['text', ({ operation }) => operation],
  status: ['integer', ({ status }) => status],
  duration_ms: ['integer', ({ durationMs }) => durationMs],
  actor: ['text', ({ actor }) => actor],
  idempotency_key: ['text', ({ idempotencyKey }) => idempotencyKey],
  error: ['text', ({ error }) => error],
  content: ['bytea', ({ content }) => content],
  mentions: ['text', ({ mentions }) => mentions.join(' ')],
}

export const insertRequests = (tx: Tx, rows: readonly RequestRow[]): Promise<number> =>
  tx.run(
    sql`insert into request_log (platform_id, id, client_request_id, at, method, path, operation, status, duration_ms,
          actor, idempotency_key, error, content, mentions)
        select n.platform_id, n.id, n.client_request_id, n.at, n.method, n.path, n.operation, n.status, n.duration_ms,
          n.actor, n.idempotency_key, n.error, n.content, string_to_array(n.mentions, ' ')::uuid[]
        from ${given('n', ROW, rows, { plainMax: 0 })}`,
  )

export type Drops = Readonly<{
  platformId: Id<'platform'>
  hour: Date
  requests: number
  bodies: number
}>

const DROPS: Columns<Drops> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  hour: ['timestamptz', ({ hour }) => hour],
  requests: ['integer', ({ requests }) => requests],
  bodies: ['integer', ({ bodies }) => bodies],
}

export const addDrops = (tx: Tx, drops: readonly Drops[]): Promise<number> =>
  tx.run(
    sql`insert into request_log_drops as d (platform_id, hour, requests, bodies)
        select * from ${given('n', DROPS, drops)} order by 1, 2
        on conflict (platform_id, hour) do update
          set requests = d.requests + excluded.requests, bodies = d.bodies + excluded.bodies`,
  )

/** How many requests and bodies since then are not in the log. */
export const sumDrops = (
  tx: Tx,
  { platformIds, since }: Readonly<{ platformIds: readonly Id<'platform'>[] | null; since: Date }>,
): Promise<Readonly<{ requests: number; bodies: number }>> =>
  tx.one(
    sql`select coalesce(sum(requests), 0)::integer as requests, coalesce(sum(bodies), 0)::integer as bodies
        from request_log_drops where hour > ${since} ${ofPlatforms(platformIds, sql`platform_id`)}`,
  )

export type RequestFilters = Readonly<{
  platformIds: readonly Id<'platform'>[] | null
  method: string | null
  /** A part of the path. */
  path: string | null
  /** From this status to that. */
  statuses: readonly [number, number] | null
  actor: string | null
  requestId: string | null
  period: Period
  /** Requests older than this one. */
  before: string | null
  limit: number
}>

const LINE = sql`r.platform_id, r.id, r.client_request_id, r.at, r.method, r.path, r.operation, r.status, r.duration_ms,
  r.actor, r.idempotency_key, r.error`

/** Newest first. Each platform is asked for its newest, so that not all have to be sorted. */
export function listRequests(tx: Tx, filters: RequestFilters): Promise<RequestLine[]> {
  const { platformIds, method, path, statuses, actor, requestId, period, before, limit } = filters
  const conditions = [
    sql`r.platform_id = p.id`,
    ...(method === null ? [] : [sql`r.method = ${method}`]),
    ...(path === null ? [] : [sql`position(${path} in r.path) > 0`]),
    ...(statuses === null ? [] : [sql`r.status between ${statuses[0]} and ${statuses[1]}`]),
    ...(actor === null ? [] : [sql`r.actor = ${actor}`]),
    ...(requestId === null
      ? []
      : [
          sql`(r.id = ${isUuid(requestId) ? requestId : null}::uuid or r.client_request_id = ${requestId})`,
        ]),
    ...when(period.since, (at) => sql`r.id >= ${firstUuidAt(at)}::uuid`),
    ...when(period.until, (at) => sql`r.id < ${firstUuidAt(at)}::uuid`),
    ...(before === null ? [] : [sql`r.id < ${before}::uuid`]),
  ]
  return tx.many<RequestLine>(
    sql`select ${LINE} from platforms p
        cross join lateral (
          select * from request_log r where ${sql.and(conditions)} order by r.id desc limit ${limit}) r
        where true ${ofPlatforms(platformIds, sql`p.id`)}
        order by r.id desc limit ${limit}`,
  )
}

type Wanted = Readonly<{ requestId: string; platformIds: readonly Id<'platform'>[] | null }>

/** By the service's id, or the newest with the id that the client chose. */
export const findRequest = (
  tx: Tx,
  { requestId, platformIds }: Wanted,
): Promise<(RequestLine & Readonly<{ content: Buffer | null }>) | undefined> =>
  tx.maybe(
    sql`select ${LINE}, r.content from (
          select r.* from platforms p join request_log r on r.platform_id = p.id
            and r.id = ${isUuid(requestId) ? requestId : null}::uuid
          union all select r.* from request_log r where r.client_request_id = ${requestId}) r
        where true ${ofPlatforms(platformIds, sql`r.platform_id`)}
        order by r.id desc limit 1`,
  )

/** Requests without a platform come from anywhere: fewer of them are kept. */
const HOUSE_ROWS_MAX = 100_000
const PRUNED_AT_ONCE = 5_000

/** Deletes what is older than its days, and what a platform has beyond the number that is kept. */
export async function pruneRequests(db: Database, settings: Settings, now: Date): Promise<void> {
  const oldest = addMs(now, -settings.requestLogDays * DAY_MS)
  const houses = Object.values(HOUSE_PLATFORM_IDS)
  for (;;) {
    const removed = await db.transaction(
      (tx) =>
        tx.run(
          sql`delete from request_log where ctid = any(array(
                select r.ctid from platforms p cross join lateral (
                  select greatest(${firstUuidAt(oldest)}::uuid, (select k.id from request_log k where k.platform_id = p.id
                    order by k.id desc limit 1
                    offset case when p.id = any(${houses}::uuid[]) then ${HOUSE_ROWS_MAX - 1}::bigint
                      else ${settings.requestLogRows - 1}::bigint end)) as kept) b
                join request_log r on r.platform_id = p.id and r.id < b.kept limit ${PRUNED_AT_ONCE}))`,
        ),
      { isLong: true },
    )
    if (removed < PRUNED_AT_ONCE) break
  }
  await db.read.run(sql`delete from request_log_drops where hour < ${oldest}`)
}
