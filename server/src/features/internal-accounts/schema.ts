import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  idField,
  listOf,
  MoneySchema,
  object,
  oneOf,
  pageQuery,
  taggedUnion,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { INTERNAL_ACCOUNT_STATUSES, INTERNAL_ACCOUNT_TYPES } from './record/internal-account.ts'
import { PAYMENT_ACCOUNT_SCHEMAS } from './funding/payment-account-schemas.ts'

type AccountOrWalletInfo = Readonly<{ accountType: string; [field: string]: unknown }>

const AccountOrWalletInfoSchema = Type.Unsafe<AccountOrWalletInfo>(
  taggedUnion({ name: 'PaymentAccountOrWalletInfo', tag: 'accountType' }, PAYMENT_ACCOUNT_SCHEMAS),
)

export const PaymentInstructionsSchema = object('PaymentInstructions', {
  instructionsNotes: Type.Optional(Type.String()),
  isPlatformAccount: Type.Optional(Type.Boolean()),
  accountOrWalletInfo: AccountOrWalletInfoSchema,
})

const typeSchema = oneOf(INTERNAL_ACCOUNT_TYPES)

export const InternalAccountSchema = object('InternalAccount', {
  id: idField('internalAccount'),
  customerId: Type.Optional(idField('customer', "Absent on the platform's own accounts.")),
  type: typeSchema,
  status: oneOf(INTERNAL_ACCOUNT_STATUSES),
  balance: { ...MoneySchema },
  totalBalance: { ...MoneySchema },
  fundingPaymentInstructions: Type.Array(PaymentInstructionsSchema),
  privateEnabled: Type.Optional(Type.Boolean()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

const filters = {
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3,5}$' })),
  type: Type.Optional(typeSchema),
}

export const CustomerAccountsQuerySchema = Type.Object({
  ...filters,
  customerId: Type.Optional(idField('customer')),
  ...pageQuery,
})

export type CustomerAccountsQuery = Static<typeof CustomerAccountsQuerySchema>

export const PlatformAccountsQuerySchema = Type.Object(filters)

export const InternalAccountListSchema = listOf(
  'InternalAccountListResponse',
  InternalAccountSchema,
  { total: true },
)

export const PlatformInternalAccountListSchema = object('PlatformInternalAccountListResponse', {
  data: Type.Array(InternalAccountSchema),
})
