/** Keeps the figures of all platforms up. Every step can be repeated, so a run that was cut short is made up for. */
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Tx } from '../../infra/db/tx.ts'
import {
  addBalanceChanges,
  countEvents,
  countPayments,
  listChangedEventHours,
  listChangedPaymentHours,
  type Hour,
  type Span,
} from './count-store.ts'
import { KEPT_MS, startOf } from './figure.ts'
import { measureWaiting, pruneFigures } from './gauge-store.ts'
import { insertMissingMarks, lockMarks, saveMarks, type Mark } from './marks-store.ts'

/** By then a transaction has committed or never will: its rows are dated when it began. */
const SETTLED_AFTER_MS = 2 * MINUTE_MS

/** One statement reads at most this much of a platform. */
const SLICE_MS = DAY_MS

type Counting = Readonly<{
  list(tx: Tx, spans: readonly Span[]): Promise<readonly Hour[]>
  count(tx: Tx, spans: readonly Span[]): Promise<void>
}>

const PAYMENTS: Counting = { list: listChangedPaymentHours, count: countPayments }
const EVENTS: Counting = { list: listChangedEventHours, count: countEvents }

export async function refreshFigures({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const inTurn = <T>(body: (tx: Tx, marks: readonly Mark[]) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => body(tx, await lockMarks(tx)), { isLong: true })
  const added = await insertMissingMarks(db.read, { now, oldest: addMs(now, -KEPT_MS) })
  while (await inTurn((tx, marks) => addNextBalances(tx, marks, now)));
  const recents = await inTurn(async (tx, marks) => {
    await recountChanged(
      tx,
      PAYMENTS,
      marks.map((mark) => olderOf(mark.paymentsFrom, platformNow(mark, now), mark)),
    )
    await recountChanged(
      tx,
      EVENTS,
      marks.map((mark) => olderOf(mark.eventsFrom, now, mark)),
    )
    return marks
  })
  await countRecent(
    inTurn,
    PAYMENTS,
    recents.map((mark) => recentOf(mark.paymentsFrom, platformNow(mark, now), mark)),
  )
  await countRecent(
    inTurn,
    EVENTS,
    recents.map((mark) => recentOf(mark.eventsFrom, now, mark)),
  )
  await inTurn(async (tx, marks) => {
    await measureWaiting(tx, { now, hour: startOf(now) })
    await pruneFigures(tx, now)
    await saveMarks(
      tx,
      marks.map((mark) => movedOn(mark, { now, isNew: added.includes(mark.platformId) })),
      now,
    )
  })
}

const platformNow = ({ clockOffsetMs }: Mark, now: Date): Date => addMs(now, Number(clockOffsetMs))

const later = (one: Date, other: Date): Date => (one > other ? one : other)
const earlier = (one: Date, other: Date): Date => (one < other ? one : other)

/** The first hour that is kept. */
const oldestOf = (until: Date): Date => startOf(addMs(until, -KEPT_MS))

/** What is counted already, and may have changed. */
const olderOf = (from: Date, until: Date, { platformId }: Mark): Span => ({
  platformId,
  from: oldestOf(until),
  until: startOf(from),
})

/** What is counted again each time. */
const recentOf = (from: Date, until: Date, { platformId }: Mark): Span => ({
  platformId,
  from: later(startOf(from), oldestOf(until)),
  until: addMs(startOf(until), HOUR_MS),
})

async function recountChanged(tx: Tx, { list, count }: Counting, spans: readonly Span[]) {
  const hours = await list(
    tx,
    spans.filter(({ from, until }) => from < until),
  )
  if (hours.length === 0) return
  await count(
    tx,
    hours.map(({ platformId, hour }) => ({ platformId, from: hour, until: addMs(hour, HOUR_MS) })),
  )
}

/** Day by day: at the first run, or where a sandbox clock leapt, there may be many. */
async function countRecent(
  inTurn: <T>(body: (tx: Tx) => Promise<T>) => Promise<T>,
  { count }: Counting,
  spans: readonly Span[],
): Promise<void> {
  for (let rest = spans; rest.length > 0; rest = rest.flatMap(afterSlice)) {
    await inTurn((tx) => count(tx, rest.map(firstSlice)))
  }
}

const firstSlice = ({ platformId, from, until }: Span): Span => ({
  platformId,
  from,
  until: earlier(addMs(from, SLICE_MS), until),
})

const afterSlice = (span: Span): readonly Span[] => {
  const from = firstSlice(span).until
  return from < span.until ? [{ ...span, from }] : []
}

/** Whether there is more to add. */
async function addNextBalances(tx: Tx, marks: readonly Mark[], now: Date): Promise<boolean> {
  const end = addMs(now, -SETTLED_AFTER_MS)
  const spans = marks
    .map(({ platformId, entriesUntil }) => ({ platformId, from: entriesUntil, until: end }))
    .filter(({ from, until }) => from < until)
    .map(firstSlice)
  if (spans.length === 0) return false
  await addBalanceChanges(tx, spans)
  const added = new Map(spans.map(({ platformId, until }) => [platformId, until]))
  await saveMarks(
    tx,
    marks.map((mark) => ({
      ...mark,
      entriesUntil: added.get(mark.platformId) ?? mark.entriesUntil,
    })),
    now,
  )
  return spans.some(({ until }) => until < end)
}

/**
 * The next marks take the place of the present ones once everything that was begun before them has ended. After a first
 * count that is so of what was an hour old by then, so that not all of it is read a second time.
 */
function movedOn(mark: Mark, { now, isNew }: Readonly<{ now: Date; isNew: boolean }>): Mark {
  const { nextPaymentsFrom, nextEventsFrom } = mark
  if (isNew)
    return {
      ...mark,
      paymentsFrom: later(mark.paymentsFrom, addMs(nextPaymentsFrom, -HOUR_MS)),
      eventsFrom: later(mark.eventsFrom, addMs(nextEventsFrom, -HOUR_MS)),
    }
  if (addMs(nextEventsFrom, SETTLED_AFTER_MS) > now) return mark
  return {
    ...mark,
    paymentsFrom: nextPaymentsFrom,
    eventsFrom: nextEventsFrom,
    nextPaymentsFrom: platformNow(mark, now),
    nextEventsFrom: now,
  }
}
