/** A challenge: a proof that a customer has to give. */
import { isPast } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { ScaFactor } from '../factors/factor.ts'

export type QuotePurpose = 'PAYOUT' | 'TRANSFER' | 'CURRENCY_CONVERSION'
export type TrustPurpose = 'TRUST_BENEFICIARY' | 'UNTRUST_BENEFICIARY'

/** The purpose of a proof; each subject has at most one challenge. */
export type ChallengeSubject =
  | Readonly<{ purpose: 'LOGIN'; customerId: Id<'customer'> }>
  | Readonly<{ purpose: QuotePurpose; quoteId: Id<'quote'> }>
  | Readonly<{ purpose: TrustPurpose; externalAccountId: Id<'externalAccount'> }>

export type ScaChallenge = Readonly<{
  id: Id<'scaChallenge'>
  customerId: Id<'customer'>
  purpose: ChallengeSubject['purpose']
  quoteId: Id<'quote'> | null
  externalAccountId: Id<'externalAccount'> | null
  factor: ScaFactor
  availableFactors: readonly ScaFactor[]
  /** Sealed: number, code and wording. */
  sms: Buffer | null
  passkeyChallenge: Buffer | null
  /** The passkey that was enrolled when the challenge was issued; no other may prove it (SCA-60). */
  passkeyCredentialId: string | null
  passkeyRpId: string | null
  wrongProofs: number
  resends: number
  sentAt: Date | null
  expiresAt: Date
  createdAt: Date
}>

export const isOpen = (challenge: ScaChallenge | undefined, now: Date): challenge is ScaChallenge =>
  challenge !== undefined && !isPast({ deadline: challenge.expiresAt, now })
