/** Failed attempts, locks and sessions of one customer (SCA-20 to SCA-29, SCA-57). */
import { addMs, DAY_MS, isPast, SECOND_MS, toWireTime } from '../../../kernel/clock.ts'

export const SESSION_LIFETIME_MS = 180 * DAY_MS
/** How long a login allows changes of factors. */
const FRESH_LOGIN_MS = 600 * SECOND_MS
const SUSPENDED_FROM = 9
/** The duration of a lock, by the number of failures. */
const LOCKS_MS: Readonly<Record<number, number>> = {
  5: 900 * SECOND_MS,
  6: 1_800 * SECOND_MS,
  7: 3_600 * SECOND_MS,
  8: 86_400 * SECOND_MS,
}

export type SecurityState = Readonly<{
  failedAttempts: number
  lockedUntil: Date | null
  /** Null means no session. */
  sessionExpiresAt: Date | null
  /** When the session began. */
  loggedInAt: Date | null
}>

export const isSuspended = ({ failedAttempts }: Pick<SecurityState, 'failedAttempts'>): boolean =>
  failedAttempts >= SUSPENDED_FROM

/** While locked, no proof is judged. */
export function isLocked(state: SecurityState, now: Date): boolean {
  return (
    isSuspended(state) ||
    (state.lockedUntil !== null && !isPast({ deadline: state.lockedUntil, now }))
  )
}

export function hasSession({ sessionExpiresAt }: SecurityState, now: Date): boolean {
  return sessionExpiresAt !== null && !isPast({ deadline: sessionExpiresAt, now })
}

/** The login is at most 600 s old, and its session has not ended (SCA-57). */
export function isFresh(state: SecurityState, now: Date): boolean {
  const { loggedInAt } = state
  const isRecent = loggedInAt !== null && now <= addMs(loggedInAt, FRESH_LOGIN_MS)
  return isRecent && hasSession(state, now)
}

export const withoutSession = (state: SecurityState): SecurityState => ({
  ...state,
  sessionExpiresAt: null,
  loggedInAt: null,
})

/** No failed attempt, no lock, no suspension. */
export const withoutFailures = (state: SecurityState): SecurityState => ({
  ...state,
  failedAttempts: 0,
  lockedUntil: null,
})

/** An expired lock keeps the count, so the next failure locks for longer (SCA-29). */
export function afterFailure(state: SecurityState, now: Date): SecurityState {
  const failedAttempts = state.failedAttempts + 1
  const lockMs = LOCKS_MS[failedAttempts]
  return { ...state, failedAttempts, lockedUntil: lockMs === undefined ? null : addMs(now, lockMs) }
}

export type LockDetails = Readonly<{
  suspended: boolean
  failedAttempts: number
  lockedUntil?: string
}>

/** The details of an answer about failures; an expired lock is left out (SCA-22, SCA-23, SCA-26). */
export function lockDetails(state: SecurityState, now: Date): LockDetails {
  const { failedAttempts, lockedUntil } = state
  const suspended = isSuspended(state)
  const isShown = lockedUntil !== null && !suspended && isLocked(state, now)
  return { suspended, failedAttempts, ...(isShown && { lockedUntil: toWireTime(lockedUntil) }) }
}
