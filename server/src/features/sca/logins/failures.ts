/** Failed attempts and the locks that they cause, for every proof that counts as a login's. */
import { fail, refuse, type Refusal } from '../../../kernel/errors.ts'
import { audit } from '../../../infra/work/audit.ts'
import { formatId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { ScaCustomer } from '../customers/sca-customer.ts'
import {
  afterFailure,
  isLocked,
  lockDetails,
  type SecurityState,
} from '../customers/security-state.ts'
import { saveSecurity } from '../customers/store.ts'

/** A proof is neither judged nor counted while the customer is locked (SCA-23). Fails: ACCOUNT_LOCKED. */
export function mustBeUnlocked({ security }: ScaCustomer, now: Date): void {
  if (isLocked(security, now)) fail('ACCOUNT_LOCKED', lockDetails(security, now))
}

/** Counts one failure on the customer's locked row; a resulting lock leaves an audit entry. */
export function countFailure(work: Work, { customer, security }: ScaCustomer): SecurityState {
  const { tx, platform, now } = work
  const after = afterFailure(security, now)
  saveSecurity(tx, platform.id, { customerId: customer.id, security: after })
  if (isLocked(after, now)) {
    audit(work, { action: 'lockScaLogin', resource: formatId('customer', customer.id) })
  }
  return after
}

/** Returns the refusal, so that the counted failure is committed (SCA-22, SCA-49). */
export function refuseWrongProof(work: Work, sca: ScaCustomer): Refusal {
  const { failedAttempts, lockedUntil } = lockDetails(countFailure(work, sca), work.now)
  return refuse('INVALID_INPUT', {
    reason: 'INVALID_PROOF',
    failedAttempts,
    ...(lockedUntil !== undefined && { lockedUntil }),
  })
}
