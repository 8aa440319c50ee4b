/** The current status of a reset, and how the sandbox decides one. */
import { isPast, SECOND_MS } from '../../../kernel/clock.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { magicValues } from '../../../kernel/text/magic-value.ts'
import { nextState } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../../customers/index.ts'
import { scaReset, type ResetEvent, type ResetStatus } from './machine.ts'
import { findReset, type ScaReset } from './store.ts'

export const RESET_LIFETIME_MS = 1_800 * SECOND_MS

/** The sandbox submits and decides the check after these delays from the start. */
export const SANDBOX_SUBMIT_DELAY_MS = 5 * SECOND_MS
export const SANDBOX_DECIDE_DELAY_MS = 10 * SECOND_MS

/** A passed deadline counts before the job that expires the reset has run. */
export function statusAt(
  { status, expiresAt }: Pick<ScaReset, 'status' | 'expiresAt'>,
  now: Date,
): ResetStatus {
  const expired = nextState(scaReset, status, 'expire')
  return expired !== undefined && isPast({ deadline: expiresAt, now }) ? expired : status
}

export type ResetKey = Readonly<{ customerId: Id<'customer'>; resetId: Id<'scaReset'> }>

/** Reads a reset with its current status. Fails: REFERENCE_NOT_FOUND, also for another customer's reset (SCA-33). */
export async function mustFindReset(
  { tx, platform, now }: Pick<Work, 'tx' | 'platform' | 'now'>,
  { customerId, resetId }: ResetKey,
): Promise<ScaReset> {
  const reset = await findReset(tx, platform.id, resetId)
  if (reset?.customerId !== customerId) return failNotFound('scaReset')
  return { ...reset, status: statusAt(reset, now) }
}

const BY_SUFFIX: ReadonlyMap<string, 'reject' | undefined> = new Map([
  ['001', undefined],
  ['002', 'reject'],
])

export const MAGIC_RESETS = magicValues(
  {
    object: 'customer who lost a factor',
    field: 'fullName or registrationNumber',
    operation: 'startTwoFactorReset',
  },
  BY_SUFFIX,
  (event) =>
    event === 'reject'
      ? `status REJECTED after ${SANDBOX_DECIDE_DELAY_MS / SECOND_MS} s`
      : 'left undecided',
)

/** The sandbox decides by the last three characters of the name or registration number; undefined leaves it open. */
export function sandboxDecision(
  customer: Customer,
): Extract<ResetEvent, 'pass' | 'reject'> | undefined {
  const text =
    customer.customerType === 'INDIVIDUAL'
      ? customer.profile.fullName
      : customer.profile.businessInfo.registrationNumber
  const suffix = text?.slice(-3) ?? ''
  return BY_SUFFIX.has(suffix) ? BY_SUFFIX.get(suffix) : 'pass'
}

/** The parts of a phone number, and how many digits they may have together (SCA-35). */
export const COUNTRY_CODE = /^\+[1-9]\d{0,3}$/
export const SUBSCRIBER_NUMBER = /^\d{4,14}$/
export const PHONE_DIGITS_MAX = 15
