import { fail, mustHaveNoErrors, type FieldError } from '../../../kernel/errors.ts'
import { nextState } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isObject, replacePhoneNumber } from '../../customers/index.ts'
import { announceChange } from '../notices/announce-change.ts'
import { scaReset } from './machine.ts'
import { saveResetStatus } from './store.ts'
import {
  COUNTRY_CODE,
  mustFindReset,
  PHONE_DIGITS_MAX,
  SUBSCRIBER_NUMBER,
  type ResetKey,
} from './reset.ts'
import { lockAnyCustomer, mustNeedSca } from '../customers/sca-customer.ts'
import { withoutFailures, withoutSession } from '../customers/security-state.ts'
import { deleteFactor, savePhoneProof, saveSecurity } from '../customers/store.ts'
import { voidProofs } from '../challenges/void-proofs.ts'

/**
 * Removes the lost factor, or replaces the lost number by one that counts as proven. Sessions, locks and pending proofs
 * end (SCA-35, SCA-36).
 * Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND, CONFLICT, INVALID_INPUT (in any other status, or without a number).
 */
export async function completeReset(
  work: Work,
  { mobile, ...key }: ResetKey & { mobile: unknown },
): Promise<void> {
  const { tx, platform, now } = work
  const { customerId } = key
  await work.react('sca.proofsVoiding', { customerId })
  const { customer, security } = await lockAnyCustomer(work, customerId)
  const reset = await mustFindReset(work, key)
  mustNeedSca(customer)
  const status = nextState(scaReset, reset.status, 'complete')
  if (status === undefined) return fail('INVALID_INPUT', { status: reset.status })
  const { factor } = reset
  if (factor === 'SMS_OTP') {
    await replacePhoneNumber(work, customer, phoneNumberOf(mobile))
    savePhoneProof(tx, platform.id, { customerId, isPhoneUnproven: false })
  } else deleteFactor(tx, platform.id, { customerId, factor })
  saveResetStatus(tx, platform.id, { id: reset.id, status, completedAt: now })
  const cleared = withoutFailures(withoutSession(security))
  saveSecurity(tx, platform.id, { customerId, security: cleared })
  await voidProofs(work, customerId)
  announceChange(work, customer, { change: 'RESET_COMPLETED', factor })
}

/** Checks `mobile`, which no schema has checked. Fails: INVALID_INPUT. */
function phoneNumberOf(mobile: unknown): string {
  const textOf = (field: string): string => {
    const value = isObject(mobile) ? mobile[field] : undefined
    return typeof value === 'string' ? value : ''
  }
  const countryCode = textOf('countryCode')
  const number = textOf('number')
  const errors: FieldError[] = []
  const expect = (field: string, value: string, pattern: RegExp): void => {
    if (pattern.test(value)) return
    const constraint = { pattern: pattern.source }
    errors.push({ field: `mobile.${field}`, constraint, message: 'must match the pattern' })
  }
  expect('countryCode', countryCode, COUNTRY_CODE)
  expect('number', number, SUBSCRIBER_NUMBER)
  const phoneNumber = `${countryCode}${number}`
  // The plus sign is no digit.
  if (errors.length === 0 && phoneNumber.length - 1 > PHONE_DIGITS_MAX) {
    errors.push({ field: 'mobile.number', message: `at most ${PHONE_DIGITS_MAX} digits in all` })
  }
  mustHaveNoErrors(errors)
  return phoneNumber
}
