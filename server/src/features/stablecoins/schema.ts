import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  environmentSchema,
  idField,
  listOf,
  named,
  object,
  oneOf,
  pageQuery,
  reserved,
  taggedUnion,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { ISSUANCE_STATUSES, LINK_STATUSES, OPERATION_STATUSES } from './machine.ts'
import { PROVIDERS } from './links/provider-link.ts'
import { NETWORKS, SERVICE_OPERATIONS_STATUSES } from './coins/stablecoin.ts'
import { DELIVERY_RAILS, OPERATION_TYPES } from './operations/stablecoin-operation.ts'

const ProviderSchema = named('StablecoinProvider', oneOf(PROVIDERS))
const ProviderEnvironmentSchema = named('StablecoinProviderEnvironment', environmentSchema())
const LinkStatusSchema = named('StablecoinProviderAccountStatus', oneOf(LINK_STATUSES))
const NetworkSchema = named('StablecoinNetwork', oneOf(NETWORKS))
const IssuanceStatusSchema = named('StablecoinIssuanceStatus', oneOf(ISSUANCE_STATUSES))
const ServiceOperationsStatusSchema = named(
  'StablecoinServiceOperationsStatus',
  oneOf(SERVICE_OPERATIONS_STATUSES),
)
const OperationTypeSchema = named('StablecoinOperationType', oneOf(OPERATION_TYPES))

export const LinkRequestSchema = object('StablecoinProviderAccountLinkRequest', {
  provider: ProviderSchema,
  apiClientId: Type.String({ minLength: 1, maxLength: 512 }),
  apiClientSecret: Type.String({
    minLength: 1,
    maxLength: 512,
    writeOnly: true,
  }),
  providerAccountId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Required where the credentials open several accounts.',
    }),
  ),
})

export const ProviderAccountSchema = object('StablecoinProviderAccount', {
  id: Type.String(),
  provider: ProviderSchema,
  providerAccountId: Type.String(),
  providerEnvironment: ProviderEnvironmentSchema,
  status: LinkStatusSchema,
  lastVerifiedAt: Type.Optional(timestamp()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

export type ProviderAccountBody = Static<typeof ProviderAccountSchema>

export const ProviderAccountListSchema = listOf(
  'StablecoinProviderAccountListResponse',
  ProviderAccountSchema,
  { total: true },
)

export const ProviderAccountListQuerySchema = Type.Object({
  provider: Type.Optional(ProviderSchema),
  status: Type.Optional(LinkStatusSchema),
  ...pageQuery,
})

export type ProviderAccountListQuery = Static<typeof ProviderAccountListQuerySchema>

export const RegisterRequestSchema = object('StablecoinRegisterRequest', {
  providerTokenIdentifier: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }),
  networkTokenIdentifier: Type.String({
    pattern: '^btkn[a-z]{0,3}1[02-9ac-hj-np-z]{20,100}$',
  }),
  network: NetworkSchema,
  stablecoinProviderAccountId: Type.Optional(
    idField('stablecoinProviderAccount', 'Required where several links are active.'),
  ),
})

export type RegisterRequest = Static<typeof RegisterRequestSchema>

export const StablecoinSchema = object('Stablecoin', {
  id: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  baseCurrency: Type.String(),
  network: NetworkSchema,
  decimals: Type.Integer(),
  issuanceStatus: IssuanceStatusSchema,
  serviceOperationsStatus: ServiceOperationsStatusSchema,
  networkTokenIdentifier: Type.String(),
  currency: Type.Optional(Type.String()),
  provider: ProviderSchema,
  stablecoinProviderAccountId: Type.String(),
  providerEnvironment: ProviderEnvironmentSchema,
  providerTokenIdentifier: Type.String(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

export type StablecoinBody = Static<typeof StablecoinSchema>

export const StablecoinListSchema = listOf('StablecoinListResponse', StablecoinSchema, {
  total: true,
})

export const StablecoinListQuerySchema = Type.Object({
  issuanceStatus: Type.Optional(IssuanceStatusSchema),
  serviceOperationsStatus: Type.Optional(ServiceOperationsStatusSchema),
  provider: Type.Optional(ProviderSchema),
  ...pageQuery,
})

export type StablecoinListQuery = Static<typeof StablecoinListQuerySchema>

const orderFields = {
  amount: Type.String({ pattern: '^[0-9]+$' }),
  description: Type.Optional(Type.String({ maxLength: 1024 })),
}

const debitSource = <const T extends string>(name: string, type: T) =>
  object(name, { type: oneOf([type]), externalAccountId: idField('externalAccount') })

const MintFundingSourceSchema = taggedUnion({ name: 'StablecoinMintFundingSource', tag: 'type' }, [
  object('StablecoinWireFundingSource', { type: oneOf(['WIRE']) }),
  debitSource('StablecoinAchDebitFundingSource', 'ACH_DEBIT'),
  debitSource('StablecoinSameDayAchDebitFundingSource', 'SAME_DAY_ACH_DEBIT'),
  reserved(
    object('StablecoinServiceInternalFundingSource', {
      type: oneOf(['SERVICE_INTERNAL_ACCOUNT']),
      accountId: Type.Optional(Type.String()),
    }),
  ),
  reserved(
    object('StablecoinProviderBalanceFundingSource', {
      type: oneOf(['PROVIDER_INTERNAL_BALANCE']),
      sourceTokenIdentifier: Type.Optional(Type.String()),
      cryptoNetwork: Type.Optional(Type.String()),
    }),
  ),
])

export const MintRequestSchema = object('StablecoinMintRequest', {
  ...orderFields,
  fundingSource: MintFundingSourceSchema,
  destination: object('StablecoinMintDestination', {
    accountId: idField('externalAccount', 'A Spark wallet.'),
  }),
})

export type MintRequest = Static<typeof MintRequestSchema>

const BurnSourceSchema = taggedUnion({ name: 'StablecoinBurnSource', tag: 'type' }, [
  object('StablecoinExternalAccountBurnSource', { type: oneOf(['EXTERNAL_ACCOUNT']) }),
  reserved(
    object('StablecoinServiceInternalBurnSource', {
      type: oneOf(['SERVICE_INTERNAL_ACCOUNT']),
      accountId: Type.Optional(Type.String()),
    }),
  ),
  object('StablecoinProviderBalanceBurnSource', { type: oneOf(['PROVIDER_INTERNAL_BALANCE']) }),
])

export const BurnRequestSchema = object('StablecoinBurnRequest', {
  ...orderFields,
  source: BurnSourceSchema,
  destination: object('StablecoinBurnDestination', {
    type: oneOf(['EXTERNAL_ACCOUNT']),
    externalAccountId: idField('externalAccount', 'A bank account in the coin’s base currency.'),
    rail: oneOf(DELIVERY_RAILS),
  }),
})

export type BurnRequest = Static<typeof BurnRequestSchema>

export const OperationSchema = object('StablecoinOperation', {
  id: Type.String(),
  stablecoinId: Type.String(),
  operationType: OperationTypeSchema,
  status: named('StablecoinOperationStatus', oneOf(OPERATION_STATUSES)),
  amount: Type.String(),
  provider: ProviderSchema,
  providerEnvironment: ProviderEnvironmentSchema,
  stablecoinProviderAccountId: Type.String(),
  source: Type.Optional(
    object('StablecoinOperationSource', {
      type: oneOf([
        'WIRE',
        'ACH_DEBIT',
        'SAME_DAY_ACH_DEBIT',
        'EXTERNAL_ACCOUNT',
        'SERVICE_INTERNAL_ACCOUNT',
        'PROVIDER_INTERNAL_BALANCE',
      ]),
      externalAccountId: Type.Optional(Type.String()),
      accountId: Type.Optional(Type.String()),
      sourceTokenIdentifier: Type.Optional(Type.String()),
      cryptoNetwork: Type.Optional(Type.String()),
    }),
  ),
  fundingInstructions: Type.Optional(
    object(
      'StablecoinFundingInstructions',
      {
        rail: Type.Optional(Type.String()),
        network: Type.Optional(Type.String()),
        address: Type.Optional(Type.String()),
        valueType: Type.Optional(Type.String()),
      },
      {
        description:
          'Where to send the money of a mint (WIRE: with bank details and `reference`) or the coin of a burn.',
      },
    ),
  ),
  destination: Type.Optional(
    object('StablecoinOperationDestination', {
      accountId: Type.String(),
      rail: Type.Optional(oneOf(DELIVERY_RAILS)),
    }),
  ),
  estimatedDelivery: Type.Optional(
    object('StablecoinEstimatedDelivery', {
      rail: Type.Optional(Type.String()),
      amount: Type.Optional(Type.String({ pattern: '^[0-9]+$' })),
      currency: Type.Optional(Type.String()),
      timing: Type.Optional(Type.String()),
    }),
  ),
  expiresAt: Type.Optional(timestamp('Funds that arrive later revive nothing.')),
  providerStatus: Type.Optional(Type.String()),
  failureReason: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

export type OperationBody = Static<typeof OperationSchema>

export const OperationListSchema = listOf('StablecoinOperationListResponse', OperationSchema, {
  total: true,
})

export const OperationListQuerySchema = Type.Object({
  operationType: Type.Optional(OperationTypeSchema),
  ...pageQuery,
})

export type OperationListQuery = Static<typeof OperationListQuerySchema>
