import { addMs, MINUTE_MS } from '../../kernel/clock.ts'
import { fail, failFields } from '../../kernel/errors.ts'
import { formatId, parseId } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import { writeJobsAndOrders } from '../../infra/work/outbox.ts'
import type { Work } from '../../infra/work/work.ts'
import { reportStatesOf, type Order, type Report } from '../order.ts'
import {
  closeByReport,
  isContradicted,
  listExceptionsOfOrder,
  openException,
} from '../exceptions/store.ts'
import { scheduled } from '../schedule.ts'
import { findOrder, saveOrder } from '../store.ts'
import { withOrder, type LockedOrder, type OrderDeps } from '../with-order.ts'
import { applyStatement, contradict, type Applied } from './apply.ts'
import {
  digestOf,
  insertReport,
  listReports,
  readReports,
  setReportStatus,
  type StoredReport,
} from './store.ts'

export type ReportResult = Readonly<
  { result: 'APPLIED' | 'DUPLICATE' | 'WAITING' } | { result: 'EXCEPTION'; exceptionId: string }
>

const AHEAD_MS_MAX = 5 * MINUTE_MS

/**
 * Accepts a provider's report about one of its orders. Reports are applied in the order of their numbers; an early one
 * waits (PROV-61, PROV-62, PROV-63). Fails: REFERENCE_NOT_FOUND, INVALID_INPUT.
 */
export async function takeReport(
  orders: OrderDeps,
  provider: RegisteredProvider,
  report: Report,
): Promise<ReportResult> {
  const { deps } = orders
  if (new Date(report.at) > addMs(deps.clock.now(), AHEAD_MS_MAX)) {
    failFields([{ field: 'at', message: 'must not be more than 300 s ahead' }])
  }
  const id = parseId('order', report.orderId)
  const found = id && (await findOrder(deps.db.read, id))
  // An order that was never sent does not exist for the provider (PROV-29).
  if (!found || found.providerId !== provider.id || found.state === 'QUEUED') {
    return fail('REFERENCE_NOT_FOUND')
  }
  const states = reportStatesOf(found)
  if (!states.includes(report.state)) {
    const message = `must be one of ${states.join(', ')}: the order is a ${found.type}`
    failFields([{ field: 'state', message, constraint: { enum: states } }])
  }
  const actor = { kind: 'provider', name: provider.name } as const
  return withOrder(
    orders,
    found,
    { actor },
    async (locked) => (await addReport(locked, report)).result,
  )
}

type Added = Readonly<{ result: ReportResult; order: Order }>

/** Stores a report and applies it if it is next in line. The caller holds the order's lock. */
export async function addReport(locked: LockedOrder, received: Report): Promise<Added> {
  const { work, kind, order } = locked
  const report = kind.redact?.(received) ?? received
  const { sequence } = report
  const digest = digestOf(report)
  const [known, mustWait] = await Promise.all([
    listReports(work.tx, order),
    isContradicted(work.tx, order),
  ])
  const same = known.find((one) => one.sequence === sequence)
  if (same?.digest.equals(digest)) return { result: { result: 'DUPLICATE' }, order }
  if (same) return { result: await refuseReusedNumber(locked, report), order }
  await insertReport(work, order, { report, digest, receivedAt: work.now })
  const waiting = known.filter(({ status }) => status === 'WAITING').map((one) => one.sequence)
  if (mustWait || sequence > order.sequence + 1) {
    const waits = [...waiting, sequence].toSorted((a, b) => a - b)
    return { result: { result: 'WAITING' }, order: saveGap(locked, waits) }
  }
  const { order: after, exceptionId, isKnown } = await applyNext(locked, report)
  if (exceptionId !== undefined) {
    const result = { result: 'EXCEPTION', exceptionId: formatId('exception', exceptionId) } as const
    return { result, order: saveGap({ ...locked, order: after }, waiting) }
  }
  const result = { result: isKnown ? 'DUPLICATE' : 'APPLIED' } as const
  return {
    result,
    order: waiting.length > 0 ? await applyWaiting({ ...locked, order: after }) : after,
  }
}

/**
 * Handles a different report under a number that is taken: one exception shows the operator both (PROV-62). The second
 * report is kept only there, without its number, so that resolving the exception leaves the first one alone.
 */
async function refuseReusedNumber(
  { work, order }: LockedOrder,
  report: Report,
): Promise<ReportResult> {
  const digest = digestOf(report)
  const isRepeated = (await listExceptionsOfOrder(work.tx, order)).some(
    ({ type, details }) => type === 'SEQUENCE_REUSED' && digestOf(details['stated']).equals(digest),
  )
  if (isRepeated) return { result: 'DUPLICATE' }
  const { id: orderId, providerId } = order
  const known = await contentOf(work, order, report.sequence)
  const details = { known, stated: report }
  const exceptionId = openException(work, { type: 'SEQUENCE_REUSED', providerId, orderId, details })
  return { result: 'EXCEPTION', exceptionId: formatId('exception', exceptionId) }
}

const contentOf = async (work: Work, order: Order, sequence: number): Promise<Report | undefined> =>
  (await readReports(work, order)).find((one) => one.sequence === sequence)?.report

/** Records whether a waiting report misses a predecessor; if so, the provider is asked for the order (PROV-63). */
function saveGap({ work, order }: LockedOrder, waiting: readonly number[]): Order {
  const isWhole = lastAfterGap(order, waiting) === undefined
  if (isWhole === (order.gapSince === null)) return order
  const noted = scheduled({ ...order, gapSince: isWhole ? null : work.now }, work.now)
  if (isWhole) closeByReport(work.tx, noted, { now: work.now, isEnded: false })
  saveOrder(work.tx, noted, work.now)
  return noted
}

/** The last waiting report whose predecessor is missing; `waiting` is sorted. */
const lastAfterGap = ({ sequence }: Order, waiting: readonly number[]): number | undefined =>
  waiting.findLast((one, index) => one > Math.max(sequence, waiting[index - 1] ?? 0) + 1)

/** Applies one report. Flushes the effects of the one before it first, because this one builds on them. */
async function applyNext(locked: LockedOrder, report: Report): Promise<Applied> {
  const { work, order } = locked
  writeJobsAndOrders(work.tx, work.outbox)
  await work.tx.flush()
  const { sequence } = report
  const before = await findSameReturn(locked, report)
  const applied = before
    ? contradict(locked, {
        type: 'SEQUENCE_REUSED',
        details: { known: await contentOf(work, order, before.sequence), stated: report },
        sequence,
      })
    : await applyStatement(locked, report, sequence)
  const status = applied.exceptionId === undefined ? 'APPLIED' : 'EXCEPTION'
  setReportStatus(work.tx, order, { sequence, status })
  return applied
}

/** Finds an earlier report of the same return under another number (PROV-68). */
async function findSameReturn(
  { work, order }: LockedOrder,
  report: Report,
): Promise<StoredReport | undefined> {
  if (report.state !== 'RETURNED') return undefined
  return (await listReports(work.tx, order)).find(
    ({ returnId, status }) => returnId === report.returnId && status !== 'WAITING',
  )
}

/** Skips missing reports after an operator decided without them, so that the waiting ones can be applied (PROV-70). */
export async function skipGaps({ work, order }: LockedOrder): Promise<Order> {
  const reports = await listReports(work.tx, order)
  const waiting = reports.filter(({ status }) => status === 'WAITING').map((one) => one.sequence)
  const after = lastAfterGap(order, waiting)
  return after === undefined ? order : { ...order, sequence: after - 1 }
}

/** Applies the waiting reports whose turn has come, unless a contradiction is still open (PROV-68). */
export async function applyWaiting(locked: LockedOrder): Promise<Order> {
  const { work } = locked
  await work.tx.flush()
  const [reports, mustWait] = await Promise.all([
    readReports(work, locked.order),
    isContradicted(work.tx, locked.order),
  ])
  const waiting = reports.filter(({ status }) => status === 'WAITING')
  let { order } = locked
  for (const { sequence, report } of mustWait ? [] : waiting) {
    if (sequence > order.sequence + 1) break
    const applied = await applyNext({ ...locked, order }, report)
    order = applied.order
    if (applied.exceptionId !== undefined) break
  }
  const numbers = waiting.map(({ sequence }) => sequence)
  return saveGap({ ...locked, order }, numbers)
}
