/** A change of factors is announced to the customer, at the contacts held before it, and to the audit (SCA-59). */
import { formatId } from '../../../kernel/ids.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { audit } from '../../../infra/work/audit.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../../customers/index.ts'
import { sendNoticeJob, type Notice } from '../job-definitions.ts'

const ACTIONS: Readonly<Record<Notice['change'], string>> = {
  ENROLLED: 'enrollScaFactor',
  REMOVED: 'removeScaFactor',
  PHONE_CHANGED: 'changeScaPhoneNumber',
  RESET_STARTED: 'startScaReset',
  RESET_COMPLETED: 'completeScaReset',
}

export type FactorChange = Pick<Notice, 'change' | 'factor'>

/**
 * Writes the audit entry of a change and schedules the notices, one job per contact, so that a failed one is retried
 * alone. `customer` is as it was before the change. The sandbox sends none.
 */
export function announceChange(
  work: Work,
  customer: Pick<Customer, 'id' | 'email' | 'phoneNumber'>,
  { change, factor }: FactorChange,
): void {
  const { phoneNumber, email } = customer
  const contacts = [
    ...(phoneNumber === undefined ? [] : [{ channel: 'phone' as const, to: phoneNumber }]),
    ...(email === undefined ? [] : [{ channel: 'email' as const, to: email }]),
  ]
  const held = contacts.map(maskContact).join(', ')
  audit(work, {
    action: ACTIONS[change],
    resource: formatId('customer', customer.id),
    note: `${factor}; contact before: ${held === '' ? 'none' : held}`,
  })
  if (!traitsOf(work.platform).sendsMessages) return
  const at = toWireTime(work.now)
  for (const contact of contacts) enqueue(work, sendNoticeJob, { ...contact, change, factor, at })
}

const SHOWN_DIGITS = 3

/** `+49…678`, `a…@example.com`. */
function maskContact({ channel, to }: Pick<Notice, 'channel' | 'to'>): string {
  if (channel === 'phone') return `${to.slice(0, SHOWN_DIGITS)}…${to.slice(-SHOWN_DIGITS)}`
  return `${to.slice(0, 1)}…${to.slice(to.lastIndexOf('@'))}`
}
