import { addMs, DAY_MS, isPast, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'

export const SESSION_LIFETIME_MS = 15 * MINUTE_MS
export const REQUEST_LIFETIME_MS = 5 * MINUTE_MS
export const OTP_LIFETIME_SECONDS = 300
export const WRONG_CODES_MAX = 5
export const FAILED_RETRIES_MAX = 10
export const PASSKEYS_MAX = 50
export const SESSIONS_MAX = 100
/** The duration of a sandbox operation that is processed asynchronously. */
export const PROCESSING_MS = 5 * SECOND_MS

export type Limit = Readonly<{ max: number; windowMs: number }>

export const OTP_ISSUE_LIMITS: readonly Limit[] = [
  { max: 5, windowMs: 5 * MINUTE_MS },
  { max: 20, windowMs: DAY_MS },
]
export const PASSKEY_CHALLENGE_LIMITS: readonly Limit[] = [{ max: 30, windowMs: 5 * MINUTE_MS }]
export const FAILED_VERIFICATION_LIMITS: readonly Limit[] = [{ max: 10, windowMs: 15 * MINUTE_MS }]

/**
 * Seconds until one more is allowed; 0 when it is allowed now. `times` are the latest, oldest first: each limit has room
 * again when its `max`-th last time leaves the window.
 */
export function secondsUntilAllowed(
  limits: readonly Limit[],
  { times, now }: { times: readonly Date[]; now: Date },
): number {
  const waits = limits.map(({ max, windowMs }) => {
    const decisive = times.at(-max)
    if (decisive === undefined) return 0
    const freeAt = addMs(decisive, windowMs)
    return isPast({ deadline: freeAt, now }) ? 0 : (freeAt.getTime() - now.getTime()) / SECOND_MS
  })
  return waits.reduce((longest, wait) => (wait > longest ? wait : longest), 0)
}

/** The times to store, with one more: as many as the largest limit counts. */
export function withTime(
  limits: readonly Limit[],
  { times, now }: { times: readonly Date[]; now: Date },
): readonly Date[] {
  const most = limits.reduce((all, { max }) => (max > all ? max : all), 0)
  return [...times, now].slice(-most)
}
