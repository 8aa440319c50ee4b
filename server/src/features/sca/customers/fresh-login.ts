import { fail } from '../../../kernel/errors.ts'
import { availableFactors } from '../factors/factor.ts'
import type { ScaCustomer } from './sca-customer.ts'
import { isFresh } from './security-state.ts'

/**
 * Who may change the factors of a customer that has one: the customer itself, by a login of the last ten minutes. The
 * platform's token alone does not suffice (SCA-57). Fails: SCA_SESSION_REQUIRED.
 */
export function mustHaveFreshLogin({ factors, security }: ScaCustomer, now: Date): void {
  if (availableFactors(factors).length === 0 || isFresh(security, now)) return
  fail('SCA_SESSION_REQUIRED', { reason: 'FRESH_LOGIN_REQUIRED' })
}
