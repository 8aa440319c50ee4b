import type { Id } from '../../../kernel/ids.ts'
import type { OidcIdentity } from '../../../crypto/oidc/oidc-token.ts'
import type { Passkey } from '../../../crypto/passkey/verify-registration.ts'

export const AUTH_METHOD_TYPES = ['OAUTH', 'EMAIL_OTP', 'SMS_OTP', 'PASSKEY'] as const
export type AuthMethodType = (typeof AUTH_METHOD_TYPES)[number]
export type OtpType = 'EMAIL_OTP' | 'SMS_OTP'

type Common = Readonly<{
  id: Id<'authMethod'>
  accountId: Id<'internalAccount'>
  customerId: Id<'customer'>
  nickname: string
  createdAt: Date
  updatedAt: Date
}>

export type OtpCredential = Common & Readonly<{ type: OtpType }>
export type OauthCredential = Common & Readonly<{ type: 'OAUTH'; identity: OidcIdentity }>
export type PasskeyCredential = Common &
  Readonly<{ type: 'PASSKEY'; passkey: Passkey; transports: readonly string[] }>

/** A way to log in to a wallet. */
export type Credential = OtpCredential | OauthCredential | PasskeyCredential

export const isOtp = (credential: Credential): credential is OtpCredential =>
  credential.type === 'EMAIL_OTP' || credential.type === 'SMS_OTP'

/** A key that may sign for a wallet until it expires or is ended. */
export type Session = Readonly<{
  id: Id<'session'>
  accountId: Id<'internalAccount'>
  credentialId: Id<'authMethod'>
  type: AuthMethodType
  nickname: string
  /** Compressed hex. */
  publicKey: string
  /** False after a passkey login that proved presence but not identity (VRFY-18). */
  isUserVerified: boolean
  createdAt: Date
  expiresAt: Date
  endedAt: Date | null
}>
