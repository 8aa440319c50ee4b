/** Shapes of external accounts on the wire. The union of `accountInfo` is made from the table of account types. */
import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  idField,
  listOf,
  object,
  oneOf,
  pageQuery,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { AccountInfoRequest, AccountInfoResponse } from './account-types/info-schema.ts'
import { BENEFICIARY_VERIFICATION_STATUSES } from './status/name-verification.ts'
import { EXTERNAL_ACCOUNT_STATUSES, OWNERSHIP_METHODS, OWNERSHIP_TYPES } from './ownership/rules.ts'
import { SIGNATURE_SCHEMES } from './ownership/signature.ts'

const newAccount = {
  currency: Type.String({ description: 'One of the currencies of the account type.' }),
  platformAccountId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  ownershipType: Type.Optional(oneOf(OWNERSHIP_TYPES)),
  accountInfo: AccountInfoRequest,
}

const defaultUmaDepositAccount = Type.Boolean({
  default: false,
  description: "Makes this the customer's only account for incoming UMA payments.",
})

export const ExternalAccountCreateRequest = object('ExternalAccountCreateRequest', {
  customerId: Type.Optional(idField('customer', "Absent: the account is the platform's.")),
  ...newAccount,
  defaultUmaDepositAccount: Type.Optional(defaultUmaDepositAccount),
})

export const PlatformExternalAccountCreateRequest = object(
  'PlatformExternalAccountCreateRequest',
  newAccount,
)

export const ExternalAccountSchema = object('ExternalAccount', {
  id: Type.String(),
  customerId: Type.Optional(Type.String({ description: "Absent: the account is the platform's." })),
  status: oneOf(EXTERNAL_ACCOUNT_STATUSES),
  platformAccountId: Type.Optional(Type.String()),
  ownershipType: Type.Optional(oneOf(OWNERSHIP_TYPES)),
  currency: Type.String(),
  defaultUmaDepositAccount: Type.Optional(Type.Boolean()),
  beneficiaryVerificationStatus: Type.Optional(oneOf(BENEFICIARY_VERIFICATION_STATUSES)),
  beneficiaryVerifiedData: Type.Optional(
    object('BeneficiaryVerifiedData', { fullName: Type.Optional(Type.String()) }),
  ),
  accountInfo: AccountInfoResponse,
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

export type ExternalAccountBody = Static<typeof ExternalAccountSchema>

export const ExternalAccountListResponse = listOf(
  'ExternalAccountListResponse',
  ExternalAccountSchema,
  { total: true },
)

const currencyQuery = Type.Optional(Type.String({ pattern: '^[A-Z]{3,5}$' }))

export const CustomerExternalAccountsQuery = Type.Object({
  currency: currencyQuery,
  customerId: Type.Optional(idField('customer')),
  ...pageQuery,
})

export const PlatformExternalAccountsQuery = Type.Object({ currency: currencyQuery, ...pageQuery })

export const OwnershipChallengeRequest = object('OwnershipChallengeRequest', {
  method: oneOf(OWNERSHIP_METHODS),
})

export const OwnershipChallengeSchema = Type.Union([
  object('WalletSignatureChallenge', {
    method: oneOf(['WALLET_SIGNATURE']),
    messageToSign: Type.String(),
    expiresAt: timestamp(),
  }),
  object('LivenessChallenge', {
    method: oneOf(['LIVENESS']),
    verificationLink: Type.String({ format: 'url' }),
    token: Type.Optional(Type.String()),
    expiresAt: timestamp(),
  }),
])

export type OwnershipChallengeBody = Static<typeof OwnershipChallengeSchema>

export const OwnershipVerifyRequest = object('OwnershipVerifyRequest', {
  signature: Type.String({ minLength: 1, maxLength: 1024 }),
  signatureScheme: Type.Optional(
    oneOf(SIGNATURE_SCHEMES, { default: 'bip137', description: 'Of Spark wallets.' }),
  ),
})
