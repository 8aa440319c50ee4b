/** Whom a change of factors is announced to: the customer, at the contacts held before it, and the audit (SCA-59). */
import { formatId } from '../../../kernel/ids.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { audit } from '../../../infra/audit.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work.ts'
import type { Channel, Customer } from '../../customers/index.ts'
import type { ScaFactor } from '../factors/factor.ts'
import { SEND_NOTICE_JOB } from '../job-names.ts'

const ACTIONS = {
  ENROLLED: 'enrollScaFactor',
  REMOVED: 'removeScaFactor',
  PHONE_CHANGED: 'changeScaPhoneNumber',
  RESET_STARTED: 'startScaReset',
  RESET_COMPLETED: 'completeScaReset',
} as const

export type FactorChange = Readonly<{ change: keyof typeof ACTIONS; factor: ScaFactor }>

/** One notice to one contact. It holds the contact itself, since the customer may have another one by now. */
export type Notice = FactorChange & Readonly<{ channel: Channel; to: string; at: string }>

/**
 * Leaves the audit entry of a change and has the notices sent with the commit, one job for each contact, so that a
 * failed one is tried again alone. `customer` is as it was before the change. The sandbox sends none.
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
  if (work.platform.environment === 'SANDBOX') return
  const at = toWireTime(work.now)
  for (const contact of contacts) {
    const payload: Notice = { ...contact, change, factor, at }
    enqueue(work, SEND_NOTICE_JOB, { payload })
  }
}

const SHOWN_DIGITS = 3

/** `+49…678`, `a…@example.com`. */
function maskContact({ channel, to }: Pick<Notice, 'channel' | 'to'>): string {
  if (channel === 'phone') return `${to.slice(0, SHOWN_DIGITS)}…${to.slice(-SHOWN_DIGITS)}`
  return `${to.slice(0, 1)}…${to.slice(to.lastIndexOf('@'))}`
}
