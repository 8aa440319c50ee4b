/** Limits on messages, resets, clearings and wrong proofs. */
import { addMs, DAY_MS, isPast, SECOND_MS } from '../../kernel/clock.ts'

export type Limit = Readonly<{ max: number; windowMs: number }>

/** Messages to one customer, for all purposes of this feature. */
export const SMS_LIMITS: readonly Limit[] = [
  { max: 10, windowMs: 600 * SECOND_MS },
  { max: 30, windowMs: DAY_MS },
]

export const RESET_LIMITS: readonly Limit[] = [{ max: 5, windowMs: DAY_MS }]

/** How often a new password at the platform clears the failed attempts (SCA-28). */
export const CLEARING_LIMITS: readonly Limit[] = [{ max: 3, windowMs: DAY_MS }]

/** Wrong proofs of one customer, whichever account is to be trusted. */
export const TRUST_FAILURE_LIMITS: readonly Limit[] = [
  { max: 10, windowMs: 900 * SECOND_MS },
  { max: 30, windowMs: DAY_MS },
]

/** The pause between two sendings of one code, and the number of resends (SCA-53). */
export const RESEND_PAUSE_MS = 30 * SECOND_MS
export const RESENDS_MAX = 3

export type LimitVerdict =
  | Readonly<{
      ok: true
      /** The times to store, the current one included. */
      times: readonly Date[]
    }>
  | Readonly<{ ok: false; retryAfterSeconds: number }>

/** Decides whether one more is allowed now. `times` are the earlier ones, oldest first. */
export function judgeLimits(
  limits: readonly Limit[],
  { times, now }: { times: readonly Date[]; now: Date },
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
