/** How often messages may be sent, resets begun and proofs be wrong. */
import { addMs, DAY_MS, isPast, SECOND_MS } from '../../kernel/clock.ts'

export type Limit = Readonly<{ max: number; windowMs: number }>

/** To one customer, for all purposes of this chapter. */
export const SMS_LIMITS: readonly Limit[] = [
  { max: 10, windowMs: 600 * SECOND_MS },
  { max: 30, windowMs: DAY_MS },
]

export const RESET_LIMITS: readonly Limit[] = [{ max: 5, windowMs: DAY_MS }]

/** SCA-28: how often a new password at the platform clears the failed attempts. */
export const CLEARING_LIMITS: readonly Limit[] = [{ max: 3, windowMs: DAY_MS }]

/** Of one customer, whichever account is to be trusted. */
export const TRUST_FAILURE_LIMITS: readonly Limit[] = [
  { max: 10, windowMs: 900 * SECOND_MS },
  { max: 30, windowMs: DAY_MS },
]

/** SCA-53: between two sendings of one code, and how many resends there are. */
export const RESEND_PAUSE_MS = 30 * SECOND_MS
export const RESENDS_MAX = 3

export type LimitVerdict =
  | Readonly<{
      ok: true
      /** What has to be remembered, this time included. */ times: readonly Date[]
    }>
  | Readonly<{ ok: false; retryAfterSeconds: number }>

/** Whether it may happen once more now. `times`: when it did, oldest first. */
export function judgeLimits(
  limits: readonly Limit[],
  { times, now }: { times: readonly Date[]; now: Date },
): LimitVerdict {
  const waitsMs = limits.map(({ max, windowMs }) => {
    const decisive = times.at(-max)
    return decisive === undefined ? 0 : addMs(decisive, windowMs).getTime() - now.getTime()
  })
  const waitMs = waitsMs.reduce((longest, one) => (one > longest ? one : longest), 0)
  if (waitMs > 0) return { ok: false, retryAfterSeconds: waitMs / SECOND_MS }
  const longestMs = limits.reduce((most, { windowMs }) => (windowMs > most ? windowMs : most), 0)
  const recent = times.filter((at) => !isPast({ deadline: addMs(at, longestMs), now }))
  return { ok: true, times: [...recent, now] }
}
