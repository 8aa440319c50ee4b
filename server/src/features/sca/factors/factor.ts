/** The factors by which customers prove who they are, and which of them may be used for what. */
import type { Passkey } from '../../../crypto/passkey/verify-registration.ts'
import { SECOND_MS } from '../../../kernel/clock.ts'
import type { Customer } from '../../customers/index.ts'

/** In the order in which they are listed (SCA-11). */
export const SCA_FACTORS = ['SMS_OTP', 'TOTP', 'PASSKEY'] as const
export type ScaFactor = (typeof SCA_FACTORS)[number]
/** The factors that are enrolled; messages need only a number. */
export type EnrolledFactor = Exclude<ScaFactor, 'SMS_OTP'>

export const ENROLMENT_LIFETIME_MS = 600 * SECOND_MS
export const CHALLENGE_LIFETIME_MS = 300 * SECOND_MS
/** Of an enrolment or a change of trust; then it is void. */
export const WRONG_PROOFS_MAX = 5

export type TotpFactor = Readonly<{
  /** Sealed. */
  secret: Buffer
  usedSteps: readonly number[]
  /** Digests of those that are left. */
  recoveryCodes: readonly Buffer[]
}>

export type Factors = PhoneNumbers &
  Readonly<{
    totp: TotpFactor | undefined
    passkey: Passkey | undefined
  }>

export type PhoneNumbers = Readonly<{
  /** Codes of every kind are sent here. */
  phoneNumber: string | undefined
  /** Only a login's code is sent here, which proves the number (SCA-61). */
  unprovenNumber: string | undefined
}>

/** A number that waits for its contact verification is neither. */
export function phoneNumbersOf(
  { phoneNumber, contact }: Pick<Customer, 'phoneNumber' | 'contact'>,
  { isPhoneUnproven }: Readonly<{ isPhoneUnproven: boolean }>,
): PhoneNumbers {
  if (contact.phone === 'PENDING') return { phoneNumber: undefined, unprovenNumber: undefined }
  return isPhoneUnproven
    ? { phoneNumber: undefined, unprovenNumber: phoneNumber }
    : { phoneNumber, unprovenNumber: undefined }
}

export function availableFactors({
  phoneNumber,
  totp,
  passkey,
}: Omit<Factors, 'unprovenNumber'>): ScaFactor[] {
  const has = { SMS_OTP: phoneNumber, TOTP: totp, PASSKEY: passkey }
  return SCA_FACTORS.filter((factor) => has[factor] !== undefined)
}

/** SCA-43, where nobody asked for a factor; an app's code cannot be tied to what is approved. Undefined: none is there. */
export function defaultFactor(
  available: readonly ScaFactor[],
): Exclude<ScaFactor, 'TOTP'> | undefined {
  if (available.includes('SMS_OTP')) return 'SMS_OTP'
  return available.includes('PASSKEY') ? 'PASSKEY' : undefined
}

/** SCA-44, TRUST-3: what may prove a challenge of this factor. `alsoTotp`: where no amount is approved. */
export function usableFactors(
  factor: Exclude<ScaFactor, 'TOTP'>,
  { available, alsoTotp }: { available: readonly ScaFactor[]; alsoTotp: boolean },
): ScaFactor[] {
  const usable: Readonly<Record<ScaFactor, boolean>> = {
    SMS_OTP: factor === 'SMS_OTP',
    TOTP: alsoTotp,
    PASSKEY: true,
  }
  return SCA_FACTORS.filter((one) => usable[one] && available.includes(one))
}
