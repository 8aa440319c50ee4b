import { judgeLimits } from '../../../kernel/access/attempt-limits.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { deleteChallenge } from '../challenges/store.ts'
import { countFailure, mustBeUnlocked } from './failures.ts'
import { lockScaCustomer, type ScaCustomer } from '../customers/sca-customer.ts'
import {
  isSuspended,
  withoutFailures,
  withoutSession,
  type SecurityState,
} from '../customers/security-state.ts'
import { saveSecurity } from '../customers/store.ts'
import { CLEARING_LIMITS } from '../limits.ts'
import { findClearings, saveClearings } from './store.ts'

export const SECURITY_EVENTS = ['RESET_PASSWORD_COMPLETED', 'FAILED_LOGIN_ATTEMPT'] as const
export type SecurityEvent = (typeof SECURITY_EVENTS)[number]

/**
 * Records an event of the platform's own login: a failure counts like one of ours (SCA-26), a new password ends sessions
 * and logins and clears the failed attempts, within its limit (SCA-28). Returns the resulting state.
 * Fails: USER_NOT_FOUND, CONFLICT, ACCOUNT_LOCKED for a failure while the customer is locked (SCA-27).
 */
export async function recordEvent(
  work: Work,
  { customerId, eventType }: { customerId: Id<'customer'>; eventType: SecurityEvent },
): Promise<SecurityState> {
  const { tx, platform, now } = work
  const sca = await lockScaCustomer(work, customerId)
  if (eventType === 'FAILED_LOGIN_ATTEMPT') {
    mustBeUnlocked(sca, now)
    return countFailure(work, sca)
  }
  const ended = withoutSession(sca.security)
  const security = (await countClearing(work, sca)) ? withoutFailures(ended) : ended
  saveSecurity(tx, platform.id, { customerId, security })
  deleteChallenge(tx, platform.id, { purpose: 'LOGIN', customerId })
  return security
}

/**
 * Decides whether a new password clears the failed attempts, and counts it if so. It works three times a day, because
 * codes could be guessed otherwise, and once more after a completed factor reset; it never lifts a suspension (SCA-28).
 */
async function countClearing(
  { tx, platform, now }: Work,
  { customer: { id: customerId }, security }: ScaCustomer,
): Promise<boolean> {
  if (security.failedAttempts === 0 || isSuspended(security)) return false
  const { clearedAt, resetCompletedAt } = await findClearings(tx, platform.id, customerId)
  const verdict = judgeLimits(CLEARING_LIMITS, { times: clearedAt, now })
  const last = clearedAt.at(-1)
  const isReset = resetCompletedAt !== null && (last === undefined || resetCompletedAt > last)
  if (!verdict.ok && !isReset) return false
  const times = verdict.ok ? verdict.times : [...clearedAt, now]
  saveClearings(tx, platform.id, { customerId, clearedAt: times })
  return true
}
