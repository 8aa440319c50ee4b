import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work.ts'
import type { Customer } from '../customer.ts'
import { verificationMode } from '../status/rules.ts'

/**
 * The two gates of CUST-34 for a customer on whose behalf money is to leave: it is verified, and has accepted the
 * terms where the service asks for that. Fails: USER_NOT_READY, END_USER_TERMS_NOT_ACCEPTED.
 */
export function mustBeReady(
  { platform }: Pick<Work, 'platform'>,
  { status, consent }: Pick<Customer, 'status' | 'consent'>,
): void {
  if (status !== 'APPROVED') fail('USER_NOT_READY', { status })
  if (verificationMode(platform) === 'FULL' && !consent) fail('END_USER_TERMS_NOT_ACCEPTED')
}
