import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts'
import type { OrderKind } from './order-kind.ts'
import { isOpen, type Order } from './order.ts'

const FIRST_DELAY_MS = 5 * SECOND_MS
const DELAY_FACTOR = 3
const DELAY_MS_MAX = 15 * MINUTE_MS
/** After this time no attempt can still arrive: the provider refuses its timestamp as too old (PROV-22). */
export const QUIET_MS = 10 * MINUTE_MS
const ASK_AGAIN_MS = 5 * MINUTE_MS
const ASK_REGULARLY_MS = 15 * MINUTE_MS
const ASKING_MS = DAY_MS
const INSTANT_REPORT_MS = 5 * MINUTE_MS
const REPORT_MS = 6 * HOUR_MS
const OVERDUE_MS = DAY_MS
/** Two "not found" answers count only if they are at least this far apart (PROV-46). */
export const NEVER_HEARD_APART_MS = 5 * MINUTE_MS
const GAP_ASKED_MS = MINUTE_MS
export const GAP_MS_MAX = HOUR_MS
/** Longer than a call and its recording take; after it another process takes the order over. */
export const LEASE_MS = 20 * SECOND_MS

/** The delay after attempt n: 5, 15, 45 s …, at most 15 minutes (PROV-44). `jitter` is between 0 and 0.1. */
export const retryDelayMs = (attempt: number, jitter = 0): number =>
  Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** (attempt - 1), DELAY_MS_MAX) * (1 + jitter)

type Sent = Readonly<{ attempts: number; lastAttemptAt: Date; expiresAt: Date }>

/** When an unanswered order is resent or, after its window, when the provider is asked for it (PROV-44, PROV-45). */
export function nextAfterAttempt({ attempts, lastAttemptAt, expiresAt }: Sent, jitter = 0): Date {
  const again = addMs(lastAttemptAt, retryDelayMs(attempts, jitter))
  return again <= expiresAt ? again : addMs(lastAttemptAt, QUIET_MS)
}

/** When the provider is asked again for an unanswered order that may no longer be resent. */
export function nextAfterAsk({ asks, askingSince, now }: Asked): Date {
  if (asks <= 1) return addMs(now, ASK_AGAIN_MS)
  return addMs(now, hasNoAnswerForADay({ askingSince, now }) ? HOUR_MS : ASK_REGULARLY_MS)
}

type Asked = Readonly<{ asks: number; askingSince: Date; now: Date }>

/** Whether a day of questions brought no answer, so that an operator has to find out (PROV-45). */
export const hasNoAnswerForADay = ({
  askingSince,
  now,
}: Pick<Asked, 'askingSince' | 'now'>): boolean =>
  now.getTime() - askingSince.getTime() >= ASKING_MS

/** Whether the resend window is over, so that the provider may only be asked for the order. */
export const isPastSending = ({ expiresAt }: Pick<Order, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && now > expiresAt

/** When the provider is asked for an order that it has accepted, unless a report comes first (PROV-47). */
function nextWithoutReport({ isInstant }: Pick<Order, 'isInstant'>, now: Date): Date {
  return addMs(now, isInstant ? INSTANT_REPORT_MS : REPORT_MS)
}

/** When the provider is asked for a missing report: after a minute, then every five, so that one lost question costs little. */
export function nextInGap(gapSince: Date, now: Date): Date {
  const first = addMs(gapSince, GAP_ASKED_MS)
  const past = now.getTime() - first.getTime()
  return past < 0 ? first : addMs(first, (Math.floor(past / ASK_AGAIN_MS) + 1) * ASK_AGAIN_MS)
}

/** Sets when the provider is asked next: for the outcome of an open order, or for a missing report (PROV-47, PROV-63). */
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

/** Checks an order that awaits a decision no later than the end of its window (PROV-97, PROV-109). */
export const cappedAtWindow = (
  { onUndecided }: Pick<OrderKind, 'onUndecided'>,
  order: Order,
  now: Date,
): Order => {
  const { nextAt, expiresAt } = order
  const isLater = nextAt !== null && expiresAt !== null && now < expiresAt && expiresAt < nextAt
  return onUndecided && isLater ? { ...order, nextAt: expiresAt } : order
}

/** An order that has ended is neither sent, asked for nor cancelled any more. */
export const unscheduled = (order: Order): Order => ({
  ...order,
  nextAt: null,
  cancelNextAt: null,
  gapSince: null,
})

export const overdueAt = ({ expectedAt, createdAt }: Pick<Order, 'expectedAt' | 'createdAt'>) =>
  addMs(expectedAt ?? createdAt, OVERDUE_MS)
