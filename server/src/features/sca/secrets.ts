/** Secrets of this feature are sealed at rest, each bound to its row (CORE-90, SCA-8). */
import { timingSafeEqual } from 'node:crypto'
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { digestSecret, secretMatches } from '../../crypto/secret-hash.ts'
import type { Id } from '../../kernel/ids.ts'
import type { EnrolledFactor } from './factors/factor.ts'

const totpContext = (customerId: Id<'customer'>): string => `totp of ${customerId}`

export const sealTotpSecret = (
  keyring: Keyring,
  customerId: Id<'customer'>,
  secret: Buffer,
): Buffer => seal(keyring, 'sca-totp', secret, totpContext(customerId))

export const openTotpSecret = (
  keyring: Keyring,
  customerId: Id<'customer'>,
  sealed: Buffer,
): Buffer => unseal(keyring, 'sca-totp', sealed, totpContext(customerId))

type EnrolmentPlace = Readonly<{ customerId: Id<'customer'>; factor: EnrolledFactor }>

const enrolmentContext = ({ customerId, factor }: EnrolmentPlace): string =>
  `${factor} enrolment of ${customerId}`

export const sealEnrolment = (keyring: Keyring, place: EnrolmentPlace, secret: Buffer): Buffer =>
  seal(keyring, 'sca-enrolment', secret, enrolmentContext(place))

export const openEnrolment = (keyring: Keyring, place: EnrolmentPlace, sealed: Buffer): Buffer =>
  unseal(keyring, 'sca-enrolment', sealed, enrolmentContext(place))

/** An SMS code with its number and the purpose that its message names. */
export type SmsCode = Readonly<{ to: string; code: string; about: string }>

export const sealSmsCode = (
  keyring: Keyring,
  challengeId: Id<'scaChallenge'>,
  sms: SmsCode,
): Buffer => seal(keyring, 'sca-sms', JSON.stringify(sms), challengeId)

export const openSmsCode = (
  keyring: Keyring,
  challengeId: Id<'scaChallenge'>,
  sealed: Buffer,
): SmsCode =>
  JSON.parse(unseal(keyring, 'sca-sms', sealed, challengeId).toString('utf8')) as SmsCode

const recoveryContext = (customerId: Id<'customer'>): string => `recovery of ${customerId}`

/** A recovery code is stored as a sealed digest, so that it can be resealed under a new key. */
export const sealRecoveryCode = (
  keyring: Keyring,
  customerId: Id<'customer'>,
  code: string,
): Buffer => seal(keyring, 'sca-recovery', digestSecret(code), recoveryContext(customerId))

export const isRecoveryCodeOf = (
  keyring: Keyring,
  customerId: Id<'customer'>,
  { code, sealed }: Readonly<{ code: string; sealed: Buffer }>,
): boolean =>
  secretMatches(code, unseal(keyring, 'sca-recovery', sealed, recoveryContext(customerId)))

/** Compares in constant time, also texts of different lengths. */
export function isSameText(text: string, expected: string): boolean {
  return timingSafeEqual(digestSecret(text), digestSecret(expected))
}
