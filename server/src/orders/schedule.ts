import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts'
import type { OrderKind } from './order-kind.ts'
import { isOpen, type Order } from './order.ts'

const FIRST_DELAY_MS = 5 * SECOND_MS
const DELAY_FACTOR = 3
const DELAY_MS_MAX = 15 * MINUTE_MS
/** By then no attempt can be on its way: its timestamp is too old (PROV-22). */
export const QUIET_MS = 10 * MINUTE_MS
const ASK_AGAIN_MS = 5 * MINUTE_MS
const ASK_REGULARLY_MS = 15 * MINUTE_MS
const ASKING_MS = DAY_MS
const INSTANT_REPORT_MS = 5 * MINUTE_MS
const REPORT_MS = 6 * HOUR_MS
const OVERDUE_MS = DAY_MS
/** Two answers that it never arrived count only this far apart (PROV-46). */
export const NEVER_HEARD_APART_MS = 5 * MINUTE_MS
const GAP_ASKED_MS = MINUTE_MS
export const GAP_MS_MAX = HOUR_MS
/** Longer than a call with its recording takes; past it another process goes on with the order. */
export const LEASE_MS = 20 * SECOND_MS

/** After attempt n: 5, 15, 45 s …, at most 15 minutes (PROV-44). `jitter` is between 0 and 0.1. */
export const retryDelayMs = (attempt: number, jitter = 0): number =>
  Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** (attempt - 1), DELAY_MS_MAX) * (1 + jitter)

type Sent = Readonly<{ attempts: number; lastAttemptAt: Date; expiresAt: Date }>

/** When an order without an answer is sent again; once that would be too late, when it is asked for (PROV-44, 45). */
export function nextAfterAttempt({ attempts, lastAttemptAt, expiresAt }: Sent, jitter = 0): Date {
  const again = addMs(lastAttemptAt, retryDelayMs(attempts, jitter))
  return again <= expiresAt ? again : addMs(lastAttemptAt, QUIET_MS)
}

/** Of an order without an answer that is past sending: when it is asked for again after ask `asks`. */
export function nextAfterAsk({ asks, askingSince, now }: Asked): Date {
  if (asks <= 1) return addMs(now, ASK_AGAIN_MS)
  return addMs(now, isAskedInVain({ askingSince, now }) ? HOUR_MS : ASK_REGULARLY_MS)
}

type Asked = Readonly<{ asks: number; askingSince: Date; now: Date }>

/** A day of asking without an answer: an operator has to find out (PROV-45). */
export const isAskedInVain = ({ askingSince, now }: Pick<Asked, 'askingSince' | 'now'>): boolean =>
  now.getTime() - askingSince.getTime() >= ASKING_MS

/** Whether an order may still be sent again, or only asked for. */
export const isPastSending = ({ expiresAt }: Pick<Order, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && now > expiresAt

/** An order that the provider has: when it is asked for, unless a report comes before (PROV-47). */
function nextWithoutReport({ isInstant }: Pick<Order, 'isInstant'>, now: Date): Date {
  return addMs(now, isInstant ? INSTANT_REPORT_MS : REPORT_MS)
}

/** While a report is missing: after a minute, then often, so that one lost question does not leave the gap for an hour. */
export function nextInGap(gapSince: Date, now: Date): Date {
  const first = addMs(gapSince, GAP_ASKED_MS)
  const past = now.getTime() - first.getTime()
  return past < 0 ? first : addMs(first, (Math.floor(past / ASK_AGAIN_MS) + 1) * ASK_AGAIN_MS)
}

/** When an order is looked at next: an open one for its outcome, any for a report that is missing (PROV-47, PROV-63). */
export function scheduled(order: Order, now: Date): Order {
  const { state, gapSince } = order
  const gap = gapSince && nextInGap(gapSince, now)
  if (!isOpen(state)) return { ...order, nextAt: gap, cancelNextAt: null }
  const unanswered = gap ? [] : [order.nextAt]
  const regular =
    state === 'UNKNOWN' ? unanswered : [nextWithoutReport(order, now), overdueAt(order)]
  const times = [...regular, gap].flatMap((time) => (time && now < time ? time.getTime() : []))
  return times.length === 0 ? order : { ...order, nextAt: new Date(Math.min(...times)) }
}

/** A decision that is waited for until then: the end of its window is not slept over (PROV-97, PROV-109). */
export const withinWindow = (
  { undecided }: Pick<OrderKind, 'undecided'>,
  order: Order,
  now: Date,
): Order => {
  const { nextAt, expiresAt } = order
  const isLater = nextAt !== null && expiresAt !== null && now < expiresAt && expiresAt < nextAt
  return undecided && isLater ? { ...order, nextAt: expiresAt } : order
}

export const overdueAt = ({ expectedAt, createdAt }: Pick<Order, 'expectedAt' | 'createdAt'>) =>
  addMs(expectedAt ?? createdAt, OVERDUE_MS)
