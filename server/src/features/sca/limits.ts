/** Limits on messages, resets, clearings and wrong proofs. */
import type { AttemptLimit } from '../../kernel/access/attempt-limits.ts'
import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts'

/** Messages to one customer, for all purposes of this feature. */
export const SMS_LIMITS: readonly AttemptLimit[] = [
  { max: 10, windowMs: 600 * SECOND_MS },
  { max: 30, windowMs: DAY_MS },
]

export const RESET_LIMITS: readonly AttemptLimit[] = [{ max: 5, windowMs: DAY_MS }]

/** How often a new password at the platform clears the failed attempts (SCA-28). */
export const CLEARING_LIMITS: readonly AttemptLimit[] = [{ max: 3, windowMs: DAY_MS }]

/** Wrong proofs of one customer, whichever account is to be trusted. */
export const TRUST_FAILURE_LIMITS: readonly AttemptLimit[] = [
  { max: 10, windowMs: 900 * SECOND_MS },
  { max: 30, windowMs: DAY_MS },
]

/** The pause between two sendings of one code, and the number of resends (SCA-53). */
export const RESEND_PAUSE_MS = 30 * SECOND_MS
export const RESENDS_MAX = 3
