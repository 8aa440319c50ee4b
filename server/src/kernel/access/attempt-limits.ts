/** Limits on how often something may be tried in a sliding window, such as codes sent or wrong proofs. */
import { addMs, isPast, SECOND_MS } from '../clock.ts'
import { failRetryLater } from '../errors.ts'

export type AttemptLimit = Readonly<{ max: number; windowMs: number }>

export type LimitVerdict =
  | Readonly<{
      ok: true
      /** The times to store, the current one included. */
      times: readonly Date[]
    }>
  | Readonly<{ ok: false; retryAfterSeconds: number }>

type Attempts = Readonly<{
  /** The earlier ones, oldest first. */
  times: readonly Date[]
  now: Date
}>

/** Decides whether one more attempt is allowed now: each limit has room again when its `max`-th last time leaves the window. */
export function judgeLimits(
  limits: readonly AttemptLimit[],
  { times, now }: Attempts,
): LimitVerdict {
  const waitsMs = limits.map(({ max, windowMs }) => {
    const oldestCounted = times.at(-max)
    return oldestCounted === undefined
      ? 0
      : addMs(oldestCounted, windowMs).getTime() - now.getTime()
  })
  const waitMs = waitsMs.reduce((longest, wait) => (wait > longest ? wait : longest), 0)
  if (waitMs > 0) return { ok: false, retryAfterSeconds: waitMs / SECOND_MS }
  const longestMs = limits.reduce((most, { windowMs }) => (windowMs > most ? windowMs : most), 0)
  const recent = times.filter((at) => !isPast({ deadline: addMs(at, longestMs), now }))
  return { ok: true, times: [...recent, now] }
}

/** Returns the times to store. Fails: RATE_LIMITED. */
export function mustBeWithinLimits(
  limits: readonly AttemptLimit[],
  attempts: Attempts,
): readonly Date[] {
  const verdict = judgeLimits(limits, attempts)
  return verdict.ok ? verdict.times : failRetryLater('RATE_LIMITED', verdict.retryAfterSeconds)
}
