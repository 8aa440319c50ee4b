import { Type } from '../../infra/http/schema/type.ts'
import { checkedWhenUsed } from '../../infra/http/schema/checked-when-used.ts'
import {
  clearable,
  idField,
  object,
  oneOf,
  SHOWN_ONCE,
  taggedUnion,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { SCA_FACTORS } from './factors/factor.ts'
import { SECURITY_EVENTS } from './logins/record-event.ts'

/** Longer than any valid one. */
const CODE_LENGTH_MAX = 64
const ORIGIN_LENGTH_MAX = 2_048

const Factor = oneOf(SCA_FACTORS)
const WebauthnJson = Type.Record(Type.String(), Type.Unknown())
const Code = Type.String({ maxLength: CODE_LENGTH_MAX })
const Origin = Type.String({
  maxLength: ORIGIN_LENGTH_MAX,
})
const IpAddress = Type.String({ maxLength: 45 })

/** The fields of a proof; exactly one of code and passkeyAssertion is given (SCA-4). */
const proofFields = {
  code: clearable(Code),
  passkeyAssertion: clearable(WebauthnJson),
  origin: clearable(Origin),
}

export const ScaQuerySchema = Type.Object({ customerId: idField('customer') })

const ScaFactorView = object('ScaFactorView', {
  factor: Factor,
  credentialId: Type.Optional(Type.String()),
})

export const ScaFactorListSchema = object('ScaFactorList', { factors: Type.Array(ScaFactorView) })

export const EnrolRequestSchema = taggedUnion(
  { name: 'ScaFactorEnrollRequestOneOf', tag: 'type' },
  [
    object('TotpFactorEnrollRequest', { type: Type.Literal('TOTP') }),
    object('PasskeyFactorEnrollRequest', { type: Type.Literal('PASSKEY') }),
  ],
)

export const EnrolStartSchema = taggedUnion({ name: 'ScaFactorEnrollStartOneOf', tag: 'type' }, [
  object('TotpEnrollmentStart', {
    type: Type.Literal('TOTP'),
    secret: Type.String({ ...SHOWN_ONCE }),
    secretBase32Encoded: Type.String(),
    totpUri: Type.String(),
  }),
  object('PasskeyEnrollmentStart', {
    type: Type.Literal('PASSKEY'),
    options: WebauthnJson,
    allowedOrigins: Type.Array(Type.String()),
    relyingPartyId: Type.String(),
  }),
])

export const ConfirmRequestSchema = taggedUnion(
  { name: 'ScaFactorConfirmRequestOneOf', tag: 'type' },
  [
    object('TotpEnrollmentConfirmRequest', {
      type: Type.Literal('TOTP'),
      secret: Type.String({ maxLength: CODE_LENGTH_MAX }),
      code: Code,
    }),
    object('PasskeyEnrollmentConfirmRequest', {
      type: Type.Literal('PASSKEY'),
      origin: Origin,
      credential: WebauthnJson,
    }),
  ],
)

export const ConfirmResponseSchema = taggedUnion(
  { name: 'ScaFactorConfirmResponseOneOf', tag: 'type' },
  [
    object('TotpEnrollmentConfirmResponse', {
      type: Type.Literal('TOTP'),
      recoveryCodes: Type.Array(Type.String(), SHOWN_ONCE),
    }),
    object('PasskeyEnrollmentConfirmResponse', {
      type: Type.Literal('PASSKEY'),
      factor: ScaFactorView,
    }),
  ],
)

export const LoginStartRequestSchema = object('ScaLoginStartRequest', { factor: Factor })

export const LoginStartSchema = object('ScaLoginStart', {
  factor: Factor,
  challengeId: Type.Optional(Type.String()),
  expiresAt: Type.Optional(timestamp()),
  passkeyOptions: Type.Optional(WebauthnJson),
  allowedOrigins: Type.Optional(Type.Array(Type.String())),
  relyingPartyId: Type.Optional(Type.String()),
})

export const LoginCompleteRequestSchema = object('ScaLoginCompleteRequest', {
  factor: Factor,
  endUserIpAddress: IpAddress,
  challengeId: clearable(Type.String({ description: 'Of SMS_OTP: the one that was answered.' })),
  ...proofFields,
})

export const LoginCompleteSchema = object('ScaLoginComplete', {
  status: Type.String(),
  sessionExpiresAt: timestamp(),
})

export const RecordEventRequestSchema = object('RecordSecurityEventRequest', {
  eventType: oneOf(SECURITY_EVENTS),
})

export const RecordEventResponseSchema = object('RecordSecurityEventResponse', {
  eventType: oneOf(SECURITY_EVENTS),
  suspended: Type.Boolean(),
  lockedUntil: Type.Optional(timestamp()),
  failedAttempts: Type.Integer(),
})

export const ResetStartRequestSchema = object('TwoFactorResetStartRequest', { factor: Factor })

export const ResetStartSchema = object('TwoFactorResetStart', {
  resetId: Type.String(),
  livenessAccessToken: Type.String(),
  verificationLink: Type.String(),
  expiresAt: timestamp(),
})

export const ResetStatusSchema = object('TwoFactorResetStatus', {
  status: oneOf([
    'INITIATED',
    'PENDING_REVIEW',
    'LIVENESS_PASSED',
    'COMPLETED',
    'REJECTED',
    'EXPIRED',
  ]),
  factor: Factor,
  enrollmentStatus: Type.Optional(oneOf(['PENDING', 'COMPLETED'])),
  expiresAt: timestamp(),
  completedAt: Type.Optional(timestamp()),
})

/** Read for SMS_OTP only; the other factors ignore it (SCA-35). */
export const ResetCompleteRequestSchema = object('TwoFactorResetCompleteRequest', {
  mobile: clearable(
    checkedWhenUsed(
      Type.Object({
        countryCode: clearable(Type.String()),
        number: clearable(Type.String()),
      }),
    ),
  ),
})

export const ScaChallengeSchema = object('ScaChallenge', {
  id: Type.String(),
  expiresAt: timestamp(),
  factor: Factor,
  availableFactors: Type.Array(Factor),
  purpose: Type.String(),
  passkeyAssertionOptions: Type.Optional(WebauthnJson),
  passkeyAllowedOrigins: Type.Optional(Type.Array(Type.String())),
})

export const ScaAuthorizationSchema = object('ScaAuthorization', {
  ...proofFields,
  endUserIpAddress: clearable(IpAddress),
})

export const TrustConfirmRequestSchema = object('BeneficiaryTrustConfirmRequest', {
  challengeId: clearable(Type.String()),
  ...proofFields,
})
