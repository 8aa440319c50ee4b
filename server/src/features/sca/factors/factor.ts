/** The factors of customers, and which of them may be used for what. */
import type { Passkey } from '../../../crypto/passkey/verify-registration.ts'
import { SECOND_MS } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Customer } from '../../customers/index.ts'

/** In the order in which they are listed (SCA-11). */
export const SCA_FACTORS = ['SMS_OTP', 'TOTP', 'PASSKEY'] as const
export type ScaFactor = (typeof SCA_FACTORS)[number]
/** Factors that are enrolled; an SMS code needs only a number. */
export type EnrolledFactor = Exclude<ScaFactor, 'SMS_OTP'>
/** Factors that a challenge may name. */
type ChallengeFactor = Exclude<ScaFactor, 'TOTP'>

export const ENROLMENT_LIFETIME_MS = 600 * SECOND_MS
export const CHALLENGE_LIFETIME_MS = 300 * SECOND_MS
/** An enrolment or a change of trust is void after so many wrong proofs. */
export const WRONG_PROOFS_MAX = 5

export type TotpFactor = Readonly<{
  /** Sealed. */
  secret: Buffer
  usedSteps: readonly number[]
  /** Sealed digests of the unused ones. */
  recoveryCodes: readonly Buffer[]
}>

export type Factors = PhoneNumbers &
  Readonly<{
    totp: TotpFactor | undefined
    passkey: Passkey | undefined
  }>

export type PhoneNumbers = Readonly<{
  /** Receives codes of every kind. */
  phoneNumber: string | undefined
  /** Receives login codes only; answering one proves the number (SCA-61). */
  unprovenNumber: string | undefined
}>

/** A number with a pending contact verification receives no codes of this feature. */
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

/** The factor if the caller names none. Never an app, whose code cannot be bound to the approved data (SCA-43). */
export function defaultFactor(available: readonly ScaFactor[]): ChallengeFactor | undefined {
  if (available.includes('SMS_OTP')) return 'SMS_OTP'
  return available.includes('PASSKEY') ? 'PASSKEY' : undefined
}

/** The factors that may prove a challenge of this factor; `alsoTotp` if no amount is approved (SCA-44, TRUST-3). */
export function usableFactors(
  factor: ChallengeFactor,
  { available, alsoTotp }: { available: readonly ScaFactor[]; alsoTotp: boolean },
): ScaFactor[] {
  const usable: Readonly<Record<ScaFactor, boolean>> = {
    SMS_OTP: factor === 'SMS_OTP',
    TOTP: alsoTotp,
    PASSKEY: true,
  }
  return SCA_FACTORS.filter((one) => usable[one] && available.includes(one))
}

export type ChosenFactor = Readonly<{
  factor: ChallengeFactor
  availableFactors: readonly ScaFactor[]
}>

/**
 * The factor that the caller requested, known to be available, or the customer's default (SCA-43, TRUST-3).
 * Fails: CONFLICT if the customer has none.
 */
export function mustChooseFactor(
  { factors }: Readonly<{ factors: Factors }>,
  { requested, alsoTotp }: { requested?: ChallengeFactor | undefined; alsoTotp: boolean },
): ChosenFactor {
  const available = availableFactors(factors)
  const factor = requested ?? defaultFactor(available)
  if (factor === undefined) return fail('CONFLICT', { reason: 'NO_SCA_FACTOR' })
  return { factor, availableFactors: usableFactors(factor, { available, alsoTotp }) }
}
