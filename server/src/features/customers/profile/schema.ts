/** Fields of a person or a business that requests and answers share. */
import {
  Type,
  type Static,
  type TNull,
  type TObject,
  type TOptional,
  type TProperties,
  type TUnion,
} from '../../../infra/http/schema/type.ts'
import { clearable, named, object, oneOf, text } from '../../../infra/http/schema/wire-schema.ts'

const country = (description?: string) =>
  Type.String({ format: 'iso3166-1-alpha-2', ...(description ? { description } : {}) })

/** All countries; the limit keeps a page of a hundred customers small. */
const COUNTRIES_MAX = 250
const CATEGORIES_MAX = 50

const countries = () => Type.Array(country(), { maxItems: COUNTRIES_MAX })

const date = (options: { description?: string } = {}) => Type.String({ format: 'date', ...options })

const NAME_MAX = 255
const WORDS_MAX = 500

const PurposeOfAccount = named(
  'PurposeOfAccount',
  oneOf([
    'CONTRACTOR_PAYOUTS',
    'CREATOR_PAYOUTS',
    'EMPLOYEE_PAYOUTS',
    'MARKETPLACE_SELLER_PAYOUTS',
    'SUPPLIER_PAYMENTS',
    'CROSS_BORDER_B2B',
    'AR_AUTOMATION',
    'AP_AUTOMATION',
    'EMBEDDED_PAYMENTS',
    'PLATFORM_FEE_COLLECTION',
    'P2P_TRANSFERS',
    'CHARITABLE_DONATIONS',
    'OTHER',
  ]),
)

const ExpectedMonthlyTransactionCount = named(
  'ExpectedMonthlyTransactionCount',
  oneOf([
    'COUNT_UNDER_10',
    'COUNT_10_TO_100',
    'COUNT_100_TO_500',
    'COUNT_500_TO_1000',
    'COUNT_OVER_1000',
  ]),
)

const ExpectedMonthlyTransactionVolume = named(
  'ExpectedMonthlyTransactionVolume',
  oneOf([
    'VOLUME_UNDER_10K',
    'VOLUME_10K_TO_100K',
    'VOLUME_100K_TO_1M',
    'VOLUME_1M_TO_10M',
    'VOLUME_OVER_10M',
  ]),
)

export const AddressSchema = object('Address', {
  line1: text(NAME_MAX),
  line2: Type.Optional(text(NAME_MAX)),
  city: Type.Optional(text(NAME_MAX)),
  state: Type.Optional(text(NAME_MAX)),
  postalCode: text(32),
  country: country(),
})

const otherDescription = (of: string) => text(WORDS_MAX, `Required where \`${of}\` says \`OTHER\`.`)

/** Fields of enhanced due diligence (CUST-14). */
const enhancedDueDiligence = {
  sourceOfFundsCategories: Type.Array(
    named(
      'IndividualSourceOfFundsCategory',
      oneOf([
        'SALARY',
        'SELF_EMPLOYMENT_INCOME',
        'INVESTMENT_INCOME',
        'PENSION',
        'RENTAL_INCOME',
        'GIFT',
        'INHERITANCE',
        'LOAN',
        'SAVINGS',
        'SALE_OF_ASSETS',
        'OTHER',
      ]),
    ),
    { maxItems: CATEGORIES_MAX },
  ),
  sourceOfFundsOtherDescription: otherDescription('sourceOfFundsCategories'),
  sourceOfWealthCategories: Type.Array(
    named(
      'SourceOfWealthCategory',
      oneOf([
        'SALARY',
        'BUSINESS_INCOME',
        'INVESTMENTS',
        'INHERITANCE',
        'PROPERTY_SALE',
        'GIFT',
        'RETIREMENT',
        'SAVINGS',
        'OTHER',
      ]),
    ),
    { maxItems: CATEGORIES_MAX },
  ),
  sourceOfWealthOtherDescription: otherDescription('sourceOfWealthCategories'),
  purposeOfAccount: PurposeOfAccount,
  purposeOfAccountOtherDescription: otherDescription('purposeOfAccount'),
  expectedMonthlyTransactionCount: ExpectedMonthlyTransactionCount,
  expectedMonthlyTransactionVolume: ExpectedMonthlyTransactionVolume,
  annualIncomeRange: named(
    'AnnualIncomeRange',
    oneOf(['UNDER_50K', 'RANGE_50K_100K', 'RANGE_100K_250K', 'RANGE_250K_1M', 'OVER_1M']),
  ),
  netWorthRange: named(
    'NetWorthRange',
    oneOf([
      'UNDER_100K',
      'RANGE_100K_500K',
      'RANGE_500K_1M',
      'RANGE_1M_5M',
      'RANGE_5M_25M',
      'OVER_25M',
    ]),
  ),
  pepStatus: named(
    'PepStatus',
    oneOf(['NONE', 'DOMESTIC', 'FOREIGN', 'HIO', 'FAMILY_OR_ASSOCIATE']),
  ),
}

/** Fields of an individual in answers. */
export const individualFields = {
  fullName: text(NAME_MAX),
  birthDate: date(),
  nationality: country(),
  address: AddressSchema,
  idType: oneOf(['SSN', 'ITIN']),
  countryOfIssuance: country('`US`, of either type of identifier.'),
  ...enhancedDueDiligence,
}

/** Accepted in requests, never shown (CUST-12). */
export const identifierField = Type.String({
  minLength: 1,
  maxLength: 64,
  'x-text': true,
  writeOnly: true,
  description: 'It is never answered.',
})

/** Fields that every business has. */
export const businessCoreFields = {
  legalName: text(NAME_MAX),
  country: country('Here that of incorporation: it decides the form of `taxId`.'),
  taxId: text(64),
  incorporatedOn: date({ description: 'Not in the future, not before 1800.' }),
}

export const ENTITY_TYPES = [
  'SOLE_PROPRIETORSHIP',
  'PARTNERSHIP',
  'LLC',
  'CORPORATION',
  'S_CORPORATION',
  'NON_PROFIT',
  'PUBLICLY_LISTED_COMPANY',
  'TRUST',
  'PRIVATE_FOUNDATION',
  'CHARITY',
  'OTHER',
] as const

export const businessOptionalFields = {
  doingBusinessAs: text(NAME_MAX),
  registrationNumber: text(64),
  entityType: named('EntityType', oneOf(ENTITY_TYPES)),
  countriesOfOperation: countries(),
  businessType: named(
    'BusinessType',
    oneOf([
      'AGRICULTURE_FORESTRY_FISHING_AND_HUNTING',
      'MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION',
      'UTILITIES',
      'CONSTRUCTION',
      'MANUFACTURING',
      'WHOLESALE_TRADE',
      'RETAIL_TRADE',
      'TRANSPORTATION_AND_WAREHOUSING',
      'INFORMATION',
      'FINANCE_AND_INSURANCE',
      'REAL_ESTATE_AND_RENTAL_AND_LEASING',
      'PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES',
      'MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES',
      'ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES',
      'EDUCATIONAL_SERVICES',
      'HEALTH_CARE_AND_SOCIAL_ASSISTANCE',
      'ARTS_ENTERTAINMENT_AND_RECREATION',
      'ACCOMMODATION_AND_FOOD_SERVICES',
      'OTHER_SERVICES',
      'PUBLIC_ADMINISTRATION',
    ]),
  ),
  purposeOfAccount: PurposeOfAccount,
  purposeOfAccountOtherDescription: otherDescription('purposeOfAccount'),
  sourceOfFunds: text(WORDS_MAX),
  sourceOfFundsCategories: Type.Array(
    named(
      'SourceOfFundsCategory',
      oneOf([
        'OPERATING_REVENUE',
        'INVESTMENT_INCOME',
        'LOANS',
        'VENTURE_CAPITAL',
        'PERSONAL_SAVINGS',
        'DONATIONS',
        'OTHER',
      ]),
    ),
    { maxItems: CATEGORIES_MAX },
  ),
  sourceOfFundsOtherDescription: otherDescription('sourceOfFundsCategories'),
  expectedMonthlyTransactionCount: ExpectedMonthlyTransactionCount,
  expectedMonthlyTransactionVolume: ExpectedMonthlyTransactionVolume,
  expectedRecipientJurisdictions: countries(),
  expectedCounterpartyCountries: countries(),
  naicsCode: Type.String({ pattern: '^\\d{2,6}$' }),
  primaryContactFirstName: text(250),
  primaryContactLastName: text(250),
}

type OptionalAll<P extends TProperties> = { [K in keyof P]: TOptional<P[K]> }
type ClearableAll<P extends TProperties> = { [K in keyof P]: TOptional<TUnion<[P[K], TNull]>> }

const mapFields = <P extends TProperties>(fields: P, map: (field: P[string]) => unknown): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field as P[string])]))

export const optionalAll = <P extends TProperties>(fields: P): OptionalAll<P> =>
  mapFields(fields, (field) => Type.Optional(field)) as OptionalAll<P>

/** In PATCH an absent field stays and null clears it. */
export const clearableAll = <P extends TProperties>(fields: P): ClearableAll<P> =>
  mapFields(fields, (field) => clearable(field)) as ClearableAll<P>

type BusinessFields = typeof businessCoreFields & typeof businessOptionalFields

export type Address = Static<typeof AddressSchema>
export type IndividualProfile = Static<TObject<OptionalAll<typeof individualFields>>>
export type BusinessProfile = Readonly<{
  address?: Address
  businessInfo: Static<TObject<OptionalAll<BusinessFields>>>
}>
