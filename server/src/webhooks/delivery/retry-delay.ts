import { DAY_MS, MINUTE_MS, SECOND_MS, addMs } from '../../kernel/clock.ts'

/** No attempt is made later than this after the event (HOOK-32). */
export const DELIVERY_LIMIT_MS = 7 * DAY_MS

const FIRST_DELAY_MS = 10 * SECOND_MS
const DELAY_MAX_MS = 30 * MINUTE_MS
const JITTER_MAX = 0.1

/** How long after failed attempt n (1, 2, …) the next one is due: 10 s, doubling, at most half an hour (A3). */
export function retryDelayMs(attemptNumber: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attemptNumber - 1), DELAY_MAX_MS)
}

export type FailedAttempt = Readonly<{
  number: number
  at: Date
  eventAt: Date
  /** From 0 to 1: how much of the permitted jitter is added. Sandbox adds none. */
  jitter: number
}>

/** When to try again, or undefined when that would be later than seven days after the event. */
export function nextAttemptAt({ number, at, eventAt, jitter }: FailedAttempt): Date | undefined {
  const delayMs = retryDelayMs(number)
  const limit = addMs(eventAt, DELIVERY_LIMIT_MS)
  if (addMs(at, delayMs) > limit) return undefined
  const jittered = addMs(at, Math.round(delayMs * (1 + JITTER_MAX * jitter)))
  return jittered < limit ? jittered : limit
}
