import { Type, type Static } from '../../infra/http/schema/type.ts'
import { checkedWhenUsed } from '../../infra/http/schema/checked-when-used.ts'
import {
  clearable,
  idField,
  named,
  object,
  oneOf,
  SHOWN_ONCE,
  taggedUnion,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { POINT_PATTERN } from '../../crypto/wallet/keys/point.ts'
import { AUTH_METHOD_TYPES, type AuthMethodType } from './credentials/auth-method.ts'

const typeSchema = oneOf(AUTH_METHOD_TYPES)

const authMethodFields = {
  id: idField('authMethod'),
  accountId: idField('internalAccount'),
  type: typeSchema,
  credentialId: Type.Optional(Type.String()),
  nickname: Type.String(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

const AuthMethodSchema = object('AuthMethod', authMethodFields)

export const AuthMethodResponseSchema = object('AuthMethodResponse', {
  ...authMethodFields,
  otpEncryptionTargetBundle: Type.Optional(Type.String()),
})

export const PasskeyAuthChallengeSchema = object('PasskeyAuthChallenge', {
  ...authMethodFields,
  credentialId: Type.String(),
  challenge: Type.String(),
  requestId: idField('request'),
  expiresAt: timestamp(),
})

export const AuthSessionSchema = object('AuthSession', {
  ...authMethodFields,
  id: idField('session'),
  encryptedSessionSigningKey: Type.Optional(
    Type.String({
      ...SHOWN_ONCE,
    }),
  ),
  expiresAt: timestamp(),
})

export const AuthCredentialListSchema = object('AuthCredentialListResponse', {
  data: Type.Array(AuthMethodSchema),
})

export const SessionListSchema = object('SessionListResponse', {
  data: Type.Array(AuthSessionSchema),
})

const challengeFields = {
  payloadToSign: Type.String(),
  requestId: idField('request'),
  expiresAt: timestamp(),
}

export const SignedRequestChallengeSchema = object('SignedRequestChallenge', challengeFields)

/** One function builds the challenges of all operations; only those with this schema have a `type`. */
export const AuthSignedRequestChallengeSchema = Type.Unsafe<
  Static<typeof SignedRequestChallengeSchema> & { type?: AuthMethodType }
>(object('AuthSignedRequestChallenge', { ...challengeFields, type: typeSchema }))

export const ProcessingSchema = object('ProcessingResponse', {
  status: Type.Literal('PROCESSING'),
  message: Type.String(),
})

const CLIENT_KEY = Type.String({
  pattern: POINT_PATTERN,
})

const account = {
  accountId: idField('internalAccount', 'An `EMBEDDED_WALLET`, `InternalAccount:<uuid>`.'),
}
const variant = <T extends string>(type: T) => ({ type: oneOf([type]) })

/** Applied to the trimmed text (CRED-12). */
const NICKNAME = Type.String({
  pattern: "^\\s*[\\p{L}\\p{M}\\p{N} ._'()-]{1,100}\\s*$",
  'x-text': true,
  maxLength: 100,
})

const TRANSPORTS = ['usb', 'nfc', 'ble', 'internal', 'hybrid'] as const

const AttestationSchema = object('PasskeyAttestation', {
  credentialId: Type.String(),
  clientDataJson: Type.String(),
  attestationObject: Type.String(),
  transports: Type.Optional(Type.Array(oneOf(TRANSPORTS))),
})

export const CredentialCreateSchema = taggedUnion(
  { name: 'AuthCredentialCreateRequestOneOf', tag: 'type', shared: account },
  [
    object('EmailOtpCredentialCreateRequest', { ...account, ...variant('EMAIL_OTP') }),
    object('SmsOtpCredentialCreateRequest', { ...account, ...variant('SMS_OTP') }),
    object('OauthCredentialCreateRequest', {
      ...account,
      ...variant('OAUTH'),
      oidcToken: Type.String(),
    }),
    object('PasskeyCredentialCreateRequest', {
      ...account,
      ...variant('PASSKEY'),
      nickname: NICKNAME,
      challenge: Type.String({ description: 'base64url of at least 16 bytes.' }),
      attestation: AttestationSchema,
    }),
  ],
)

export type CredentialCreateBody = Static<typeof CredentialCreateSchema>

const AssertionSchema = object('PasskeyAssertion', {
  credentialId: Type.String(),
  clientDataJson: Type.String(),
  authenticatorData: Type.String(),
  signature: Type.String(),
  userHandle: Type.Optional(Type.String()),
})

const otpFields = { encryptedOtpBundle: Type.String() }

export const CredentialVerifySchema = taggedUnion(
  { name: 'AuthCredentialVerifyRequestOneOf', tag: 'type' },
  [
    object('EmailOtpCredentialVerifyRequest', { ...variant('EMAIL_OTP'), ...otpFields }),
    object('SmsOtpCredentialVerifyRequest', { ...variant('SMS_OTP'), ...otpFields }),
    object('OauthCredentialVerifyRequest', {
      ...variant('OAUTH'),
      oidcToken: Type.String(),
      clientPublicKey: CLIENT_KEY,
    }),
    object('PasskeyCredentialVerifyRequest', {
      ...variant('PASSKEY'),
      assertion: AssertionSchema,
    }),
  ],
)

export type CredentialVerifyBody = Static<typeof CredentialVerifySchema>

/** Read for a passkey only; a request that sends a code ignores the body (CHAL-1). */
export const CredentialChallengeSchema = checkedWhenUsed(
  object('AuthCredentialChallengeRequest', {
    clientPublicKey: clearable(
      Type.String({ description: `Of a \`PASSKEY\`: required, \`${POINT_PATTERN}\`.` }),
    ),
  }),
)

export const SessionRefreshSchema = object('AuthSessionRefreshRequest', {
  clientPublicKey: CLIENT_KEY,
})

export const ExportSchema = object('InternalAccountExportRequest', {
  clientPublicKey: Type.String(),
})

export const ExportResponseSchema = object('InternalAccountExportResponse', {
  id: idField('internalAccount'),
  encryptedWalletCredentials: Type.String(SHOWN_ONCE),
})

export const AccountUpdateSchema = object('InternalAccountUpdateRequest', {
  privateEnabled: Type.Optional(Type.Boolean()),
})

export type AccountUpdateBody = Static<typeof AccountUpdateSchema>

export const AccountQuerySchema = Type.Object({
  accountId: idField('internalAccount', 'An `EMBEDDED_WALLET`, `InternalAccount:<uuid>`.'),
})

export const WalletSignerSchema = object('WalletSigner', {
  publicKey: Type.String(),
})

export const signedHeaders = named(
  'SignedRequestHeaders',
  Type.Object({
    'Service-Wallet-Signature': Type.Optional(
      Type.String({ description: 'The stamp over `payloadToSign`.' }),
    ),
    'Request-Id': Type.Optional(Type.String()),
  }),
)
