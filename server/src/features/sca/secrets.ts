/** How the secrets of this chapter are kept: sealed, each for its place alone (CORE-90, SCA-8). */
import { timingSafeEqual } from 'node:crypto'
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { digestSecret, secretMatches } from '../../crypto/secret-hash.ts'
import type { Id } from '../../kernel/ids.ts'
import type { EnrolledFactor } from './factors/factor.ts'

/** What a code in a sandbox always is; none is sent. */
export const SANDBOX_CODE = '123456'

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

/** A code on its way, and what its message says that it is for. */
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

/** A recovery code is kept as a digest, and that sealed: so it outlives the key that it was first kept under. */
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
export function isSameText(given: string, expected: string): boolean {
  return timingSafeEqual(digestSecret(given), digestSecret(expected))
}
