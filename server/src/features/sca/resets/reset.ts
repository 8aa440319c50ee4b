/** How a reset stands, and how the sandbox decides one. */
import { isPast, SECOND_MS } from '../../../kernel/clock.ts'
import { nextState } from '../../../kernel/machine.ts'
import type { Customer } from '../../customers/index.ts'
import { scaReset, type ResetEvent, type ResetStatus } from './machine.ts'
import type { ScaReset } from './store.ts'

export const RESET_LIFETIME_MS = 1_800 * SECOND_MS

/** SANDBOX: how long after the start the check is handed in, and decided. */
export const SANDBOX_SUBMIT_DELAY_MS = 5 * SECOND_MS
export const SANDBOX_DECIDE_DELAY_MS = 10 * SECOND_MS

/** A window that has ended counts before the job that says so has run. */
export function statusAt(
  { status, expiresAt }: Pick<ScaReset, 'status' | 'expiresAt'>,
  now: Date,
): ResetStatus {
  const expired = nextState(scaReset, status, 'expire')
  return expired !== undefined && isPast({ deadline: expiresAt, now }) ? expired : status
}

/** SANDBOX: by the last three characters of the name (a business's registration number). Undefined: nobody decides. */
export function sandboxDecision(
  customer: Customer,
): Extract<ResetEvent, 'pass' | 'reject'> | undefined {
  const text =
    customer.customerType === 'INDIVIDUAL'
      ? customer.profile.fullName
      : customer.profile.businessInfo.registrationNumber
  if (text?.endsWith('001')) return undefined
  return text?.endsWith('002') ? 'reject' : 'pass'
}

/** SCA-35: the parts of a number, and how many digits they may have together. */
export const COUNTRY_CODE = /^\+[1-9]\d{0,3}$/
export const SUBSCRIBER_NUMBER = /^\d{4,14}$/
export const PHONE_DIGITS_MAX = 15
