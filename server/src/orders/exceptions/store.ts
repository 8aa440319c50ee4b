import { newId, type Id } from '../../kernel/ids.ts'
import type { WaitingPage } from '../../kernel/page.ts'
import { afterPlace, beforePlace, countWaiting, ofPlatforms } from '../../infra/db/list-rows.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import {
  CLOSED_BY_REPORT,
  CONTRADICTIONS,
  type ExceptionType,
  type Resolution,
} from './resolutions.ts'

/** A case that only an operator may decide. */
export type Exception = Readonly<{
  platformId: Id<'platform'>
  id: Id<'exception'>
  type: ExceptionType
  providerId: Id<'provider'> | null
  orderId: Id<'order'> | null
  subject: string | null
  /** The number of the report in question. */
  sequence: number | null
  details: Readonly<Record<string, unknown>>
  status: 'OPEN' | 'RESOLVED'
  resolution: string | null
  note: string | null
  operator: string | null
  openedAt: Date
  resolvedAt: Date | null
}>

const COLUMNS = sql`e.platform_id, e.id, e.type, e.provider_id, e.order_id, e.subject, e.sequence, e.details, e.status,
  e.resolution, e.note, e.operator, e.opened_at, e.resolved_at`

export type NewException = Pick<Exception, 'type'> &
  Partial<Pick<Exception, 'providerId' | 'orderId' | 'subject' | 'sequence' | 'details'>>

/** Queues the insert for the commit. */
export function openException(
  { tx, platform, now }: Readonly<{ tx: Tx; platform: { id: Id<'platform'> }; now: Date }>,
  { type, providerId, orderId, subject, sequence, details }: NewException,
): Id<'exception'> {
  const id = newId('exception')
  tx.queueWrite(
    sql`insert into exceptions (platform_id, id, type, provider_id, order_id, subject, sequence, details, opened_at)
        values (${platform.id}, ${id}, ${type}, ${providerId ?? null}, ${orderId ?? null}, ${subject ?? null},
          ${sequence ?? null}, ${sql.json(details ?? {})}, ${now})`,
  )
  return id
}

type OfOrder = Readonly<{ platformId: Id<'platform'>; id: Id<'order'> }>

export const listOpenOfOrder = (tx: Tx, { platformId, id }: OfOrder): Promise<Exception[]> =>
  tx.many<Exception>(
    sql`select ${COLUMNS} from exceptions e
        where e.platform_id = ${platformId} and e.order_id = ${id} and e.status = 'OPEN' order by e.opened_at, e.id`,
  )

type OfSubject = Readonly<{ platformId: Id<'platform'>; type: ExceptionType; subject: string }>

export const listOpenOfSubject = (
  tx: Tx,
  { platformId, type, subject }: OfSubject,
): Promise<Exception[]> =>
  tx.many<Exception>(
    sql`select ${COLUMNS} from exceptions e
        where e.platform_id = ${platformId} and e.subject = ${subject} and e.type = ${type} and e.status = 'OPEN'
        order by e.opened_at, e.id`,
  )

type OfProvider = Readonly<{
  platformId: Id<'platform'>
  type: ExceptionType
  providerId: Id<'provider'>
}>

export const listOpenOfProvider = (
  tx: Tx,
  { platformId, type, providerId }: OfProvider,
): Promise<Exception[]> =>
  tx.many<Exception>(
    sql`select ${COLUMNS} from exceptions e
        where e.platform_id = ${platformId} and e.provider_id = ${providerId} and e.type = ${type}
          and e.status = 'OPEN'
        order by e.opened_at, e.id`,
  )

/** Whether the order ever had such an exception, open or resolved. */
export const hadException = async (
  tx: Tx,
  { platformId, id }: OfOrder,
  type: ExceptionType,
): Promise<boolean> => {
  const { had } = await tx.one<{ had: boolean }>(
    sql`select exists (select from exceptions
          where platform_id = ${platformId} and order_id = ${id} and type = ${type}) as had`,
  )
  return had
}

/** Whether a contradiction is open, which blocks further reports until an operator resolves it (PROV-68). */
export const isContradicted = async (tx: Tx, of: OfOrder): Promise<boolean> =>
  (await listOpenOfOrder(tx, of)).some(({ type }) => CONTRADICTIONS.some((one) => one === type))

/** Closes the exceptions that a report has settled: a gap once no report is missing, the others with the order (PROV-71). */
export function closeByReport(
  tx: Tx,
  { platformId, id, gapSince }: OfOrder & Readonly<{ gapSince: Date | null }>,
  { now, isEnded }: Readonly<{ now: Date; isEnded: boolean }>,
): void {
  const types = CLOSED_BY_REPORT.filter((type) =>
    type === 'REPORT_GAP' ? gapSince === null : isEnded,
  )
  tx.queueWrite(
    sql`update exceptions set status = 'RESOLVED', resolution = 'REPORTED', resolved_at = ${now}
        where platform_id = ${platformId} and order_id = ${id} and status = 'OPEN'
          and type = any(${types})`,
  )
}

export const findException = (tx: Tx, id: Id<'exception'>): Promise<Exception | undefined> =>
  tx.maybe<Exception>(sql`select ${COLUMNS} from exceptions e where e.id = ${id}`)

export const lockException = (
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'exception'>,
): Promise<Exception | undefined> =>
  tx.maybe<Exception>(
    sql`select ${COLUMNS} from exceptions e where e.platform_id = ${platformId} and e.id = ${id} for no key update`,
  )

type Resolved = Readonly<{
  resolution: Resolution
  note: string
  operator: string
  now: Date
}>

export function saveResolution(
  tx: Tx,
  { platformId, id }: Exception,
  { resolution, note, operator, now }: Resolved,
): void {
  tx.queueWrite(
    sql`update exceptions set status = 'RESOLVED', resolution = ${resolution}, note = ${note}, operator = ${operator},
          resolved_at = ${now} where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Oldest first. */
const openExceptions = ({ platformIds, after, limit }: WaitingPage): Sql =>
  sql`select ${COLUMNS} from exceptions e
      where e.status = 'OPEN' ${ofPlatforms(platformIds, sql`e.platform_id`)}
        ${afterPlace(after, sql`e.opened_at, e.id`)}
      order by e.opened_at, e.id limit ${limit}`

/** Newest first. */
const allExceptions = ({ platformIds, after, limit }: WaitingPage): Sql =>
  sql`select ${COLUMNS} from exceptions e
      where true ${ofPlatforms(platformIds, sql`e.platform_id`)} ${beforePlace(after, sql`e.opened_at, e.id`)}
      order by e.opened_at desc, e.id desc limit ${limit}`

export const listExceptions = (
  tx: Tx,
  { isAll, ...page }: WaitingPage & Readonly<{ isAll: boolean }>,
): Promise<Exception[]> => tx.many(isAll ? allExceptions(page) : openExceptions(page))

export const countOpenExceptions = (tx: Tx, bound: Readonly<{ atMost: number }>): Promise<number> =>
  countWaiting(tx, openExceptions, bound)

/** Lists the exceptions of an order, open or resolved, oldest first. */
export const listExceptionsOfOrder = (tx: Tx, { platformId, id }: OfOrder): Promise<Exception[]> =>
  tx.many<Exception>(
    sql`select ${COLUMNS} from exceptions e where e.platform_id = ${platformId} and e.order_id = ${id}
        order by e.opened_at, e.id`,
  )
