import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { deleteChallenge } from '../challenges/store.ts'
import { countFailure, mustBeUnlocked } from './failures.ts'
import { takeClearing } from './take-clearing.ts'
import { lockScaCustomer } from '../customers/sca-customer.ts'
import { withoutFailures, withoutSession, type SecurityState } from '../customers/security-state.ts'
import { saveSecurity } from '../customers/store.ts'

export const SECURITY_EVENTS = ['RESET_PASSWORD_COMPLETED', 'FAILED_LOGIN_ATTEMPT'] as const
export type SecurityEvent = (typeof SECURITY_EVENTS)[number]

/**
 * What happened at the platform's own login: a failure counts with ours (SCA-26), a new password ends sessions and
 * logins and clears the failed attempts, within its limit (SCA-28). Answers the state after it.
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
  const ended = withoutSession(sca.security)
  const security = (await takeClearing(work, sca)) ? withoutFailures(ended) : ended
  saveSecurity(tx, platform.id, { customerId, security })
  deleteChallenge(tx, platform.id, { purpose: 'LOGIN', customerId })
  return security
}
