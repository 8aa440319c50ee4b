import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { deleteChallenge } from './challenge-store.ts'
import { countFailure, mustBeUnlocked } from './login.ts'
import { lockScaCustomer } from './sca-customer.ts'
import type { SecurityState } from './security-state.ts'
import { saveSecurity } from './store.ts'

export const SECURITY_EVENTS = ['RESET_PASSWORD_COMPLETED', 'FAILED_LOGIN_ATTEMPT'] as const
export type SecurityEvent = (typeof SECURITY_EVENTS)[number]

const FRESH: SecurityState = { failedAttempts: 0, lockedUntil: null, sessionExpiresAt: null }

/**
 * What happened at the platform's own login: a failure counts with ours (SCA-26), a new password begins anew and ends
 * sessions and logins (SCA-28). Answers how the customer stands then.
 * Fails: USER_NOT_FOUND, CONFLICT, ACCOUNT_LOCKED for a failure that is not counted any more (SCA-27).
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
  saveSecurity(tx, platform.id, { customerId, security: FRESH })
  deleteChallenge(tx, platform.id, { purpose: 'LOGIN', customerId })
  return FRESH
}
