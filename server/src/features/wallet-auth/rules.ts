import type { AttemptLimit } from '../../kernel/access/attempt-limits.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'

export const SESSION_LIFETIME_MS = 15 * MINUTE_MS
export const REQUEST_LIFETIME_MS = 5 * MINUTE_MS
export const OTP_LIFETIME_SECONDS = 300
export const WRONG_CODES_MAX = 5
export const FAILED_RETRIES_MAX = 10
export const PASSKEYS_MAX = 50
export const SESSIONS_MAX = 100
/** The duration of a sandbox operation that is processed asynchronously. */
export const PROCESSING_MS = 5 * SECOND_MS

export const OTP_ISSUE_LIMITS: readonly AttemptLimit[] = [
  { max: 5, windowMs: 5 * MINUTE_MS },
  { max: 20, windowMs: DAY_MS },
]
export const PASSKEY_CHALLENGE_LIMITS: readonly AttemptLimit[] = [
  { max: 30, windowMs: 5 * MINUTE_MS },
]
export const FAILED_VERIFICATION_LIMITS: readonly AttemptLimit[] = [
  { max: 10, windowMs: 15 * MINUTE_MS },
]
