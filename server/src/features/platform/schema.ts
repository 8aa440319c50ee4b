import { Type, type Static, type TObject, type TProperties } from '../../infra/http/schema/type.ts'
import {
  amount,
  clearable,
  named,
  object,
  oneOf,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { LOGO_BASE64_MAX } from './logo.ts'
import { CUSTOMER_INFO_FIELD_NAMES } from './provider-requirements.ts'

const CustomerInfoFieldNameSchema = named(
  'CustomerInfoFieldName',
  oneOf(CUSTOMER_INFO_FIELD_NAMES, { description: 'What is to be known of a customer.' }),
)

export const CounterpartyFieldSchema = object('CounterpartyFieldDefinition', {
  name: CustomerInfoFieldNameSchema,
  mandatory: Type.Boolean(),
})

const TransactionTypeSchema = named('TransactionType', oneOf(['INCOMING', 'OUTGOING']))
const FeeTypeSchema = named('FeeType', oneOf(['CROSS_CURRENCY_TRANSACTION']))

/** Read-only: ignored in requests. */
const READ_ONLY = { readOnly: true }

const CurrencyConfigSchema = object('PlatformCurrencyConfig', {
  currencyCode: Type.String({ format: 'iso4217' }),
  minAmount: amount({ minimum: 0 }),
  maxAmount: amount({ minimum: 0 }),
  requiredCounterpartyFields: Type.Array(CounterpartyFieldSchema, {
    description: 'What the platform wants to know of the other side.',
  }),
  providerRequiredCustomerFields: Type.Optional(
    Type.Array(CustomerInfoFieldNameSchema, {
      ...READ_ONLY,
      description: 'What a customer of this currency must have told.',
    }),
  ),
  providerRequiredCounterpartyCustomerFields: Type.Optional(
    Type.Array(CustomerInfoFieldNameSchema, {
      ...READ_ONLY,
      description: 'What must be told of the other side.',
    }),
  ),
  enabledTransactionTypes: Type.Array(TransactionTypeSchema, {
    description: 'Empty: none.',
  }),
})

export const FixedFeeSchema = object('FixedFee', {
  amount: amount({ minimum: 0 }),
  currency: Type.String({ format: 'iso4217', description: 'The currency that is sent.' }),
})

const FeeConfigSchema = object('FeeConfig', {
  feeType: FeeTypeSchema,
  sourceCurrency: Type.String({ format: 'iso4217', description: 'USD; others are not offered.' }),
  variableFeeBps: Type.Integer({ minimum: 0, maximum: 10_000 }),
  fixedFee: FixedFeeSchema,
})

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const email = Type.Optional(Type.String({ format: 'email', maxLength: 255 }))

export const EmbeddedWalletConfigSchema = object('EmbeddedWalletConfig', {
  appName: text(255),
  otpLength: Type.Optional(Type.Integer({ minimum: 4, maximum: 12 })),
  alphanumeric: Type.Optional(Type.Boolean()),
  expirationSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  sendFromEmailAddress: email,
  sendFromEmailSenderName: text(255),
  replyToEmailAddress: email,
  logoUrl: Type.Optional(Type.String({ format: 'url', maxLength: 512 })),
})

const CardTokenizationEmailSchema = object('CardTokenization2FAEmailConfig', {
  fromAddress: email,
  fromName: text(255),
  replyToAddress: email,
  subject: text(255),
  bodyText: text(2000),
})

const CardTokenizationSmsSchema = object('CardTokenization2FASmsConfig', {
  templateSid: text(64),
  bodyText: text(480),
})

const CardTokenizationBrandSchema = Type.Object({
  displayName: text(255),
  logoUrl: Type.Optional(Type.String({ format: 'url', pattern: '^https://', maxLength: 512 })),
})

export const CardTokenization2faConfigSchema = object('CardTokenization2FAConfig', {
  ...CardTokenizationBrandSchema.properties,
  email: Type.Optional(CardTokenizationEmailSchema),
  sms: Type.Optional(CardTokenizationSmsSchema),
})

const BRAND_NAME = Type.String({
  minLength: 1,
  maxLength: 80,
  'x-text': true,
  description: 'What hosted pages call the platform; its own name where it is absent.',
})
const BRAND_COLOR = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  description:
    'Of buttons and links on hosted pages, made darker or lighter until text on it is readable.',
})

const BrandingSchema = object('PlatformBranding', {
  name: Type.Optional(BRAND_NAME),
  color: Type.Optional(BRAND_COLOR),
  logoUrl: Type.Optional(Type.String({ ...READ_ONLY, description: 'Where the logo is served.' })),
})

const BrandingChangesSchema = object('PlatformBrandingUpdate', {
  name: clearable(BRAND_NAME),
  color: clearable(BRAND_COLOR),
  logo: clearable(
    Type.String({
      maxLength: LOGO_BASE64_MAX,
      writeOnly: true,
      contentEncoding: 'base64',
      description: 'A PNG or JPEG of at most 100 KB and 2,000 pixels a side, in base64.',
    }),
  ),
})

export type TransactionType = Static<typeof TransactionTypeSchema>
export type FeeType = Static<typeof FeeTypeSchema>
export type EmbeddedWalletConfig = Static<typeof EmbeddedWalletConfigSchema>
export type CardTokenization2faConfig = Static<typeof CardTokenization2faConfigSchema>

export const PlatformConfigSchema = object('PlatformConfig', {
  id: Type.String(READ_ONLY),
  umaDomain: Type.String(),
  proxyUmaSubdomain: Type.String(READ_ONLY),
  webhookEndpoint: Type.Optional(Type.String()),
  supportedCurrencies: Type.Array(CurrencyConfigSchema),
  isRegulatedFinancialInstitution: Type.Boolean(READ_ONLY),
  embeddedWalletConfig: Type.Optional(EmbeddedWalletConfigSchema),
  cardTokenization2faConfig: Type.Optional(CardTokenization2faConfigSchema),
  feeConfigs: Type.Array(FeeConfigSchema),
  branding: Type.Optional(BrandingSchema),
  createdAt: { ...timestamp(), ...READ_ONLY },
  updatedAt: { ...timestamp(), ...READ_ONLY },
})

/** The same fields in a PATCH: absent stays, null clears. */
const changesOf = <P extends TProperties>(schema: TObject<P>): TProperties =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, clearable(field)]),
  )

const EmbeddedWalletChangesSchema = object(
  'EmbeddedWalletConfigUpdate',
  changesOf(EmbeddedWalletConfigSchema),
)

const CardTokenizationChangesSchema = object('CardTokenization2FAConfigUpdate', {
  ...changesOf(CardTokenizationBrandSchema),
  email: clearable(
    object('CardTokenization2FAEmailConfigUpdate', changesOf(CardTokenizationEmailSchema)),
  ),
  sms: clearable(
    object('CardTokenization2FASmsConfigUpdate', changesOf(CardTokenizationSmsSchema)),
  ),
})

export const PlatformConfigUpdateSchema = object(
  'PlatformConfigUpdateRequest',
  {
    umaDomain: Type.Optional(Type.String({ maxLength: 253, description: 'A DNS name.' })),
    webhookEndpoint: clearable(
      Type.String({
        format: 'url',
        description: 'Without user info and fragment; in production https and a public host.',
      }),
    ),
    supportedCurrencies: Type.Optional(
      Type.Array(CurrencyConfigSchema, {
        minItems: 1,
        maxItems: 100,
        description: 'Replaces the whole list.',
      }),
    ),
    embeddedWalletConfig: clearable(EmbeddedWalletChangesSchema),
    cardTokenization2faConfig: clearable(CardTokenizationChangesSchema),
    feeConfigs: Type.Optional(
      Type.Array(FeeConfigSchema, {
        description: 'Added or replaced by type and currency; both fees 0 removes the entry.',
      }),
    ),
    branding: clearable(BrandingChangesSchema),
  },
  { description: 'Only the fields that are given change.' },
)

export type PlatformConfigBody = Static<typeof PlatformConfigSchema>
export type PlatformConfigUpdateBody = Static<typeof PlatformConfigUpdateSchema>
