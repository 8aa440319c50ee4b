/** The union of `accountInfo`, one variant per row of the table of account types. */
import { Type, type TSchema } from '../../../infra/http/schema/type.ts'
import { named, object, oneOf } from '../../../infra/http/schema/wire-schema.ts'
import type { AccountType, FieldRule, FieldRules } from './shape.ts'
import { ACCOUNT_TYPES } from './table.ts'
import { ADDRESS, BUSINESS } from './beneficiary.ts'

/** Only requests state limits; answers hold values that were checked before. */
type Direction = 'request' | 'response'

export type AccountInfo = Readonly<{
  accountType: string
  paymentRails?: readonly string[]
  [field: string]: unknown
}>

/** `USD_ACCOUNT` becomes `Usd`, `BASE_WALLET` becomes `BaseWallet`: the contract's names of its schemas. */
function schemaName({ accountType }: AccountType): string {
  return accountType
    .replace(/_ACCOUNT$/, '')
    .toLowerCase()
    .replace(/(^|_)([a-z])/g, (_match, _gap, letter: string) => letter.toUpperCase())
}

function fieldSchema(rule: FieldRule, direction: Direction): TSchema {
  const { minLength, maxLength, pattern } = rule
  if (rule.enum) return oneOf(rule.enum)
  if (direction === 'response') return Type.String()
  return Type.String({
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
  })
}

function fieldSchemas(rules: FieldRules, direction: Direction): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(rules).map(([field, rule]) => {
      const schema = fieldSchema(rule, direction)
      return [field, rule.required ? schema : Type.Optional(schema)]
    }),
  )
}

/** A union with a discriminator, so that readers and validators look at one variant only. */
function taggedUnion(tag: string, variants: readonly TSchema[]): TSchema {
  return Type.Unsafe<AccountInfo>({
    type: 'object',
    required: [tag],
    discriminator: { propertyName: tag },
    oneOf: variants,
  })
}

function addressSchema(direction: Direction): TSchema {
  const name = direction === 'request' ? 'BeneficiaryAddressRequest' : 'BeneficiaryAddress'
  return object(name, fieldSchemas(ADDRESS, direction))
}

function beneficiarySchema(type: AccountType, direction: Direction): TSchema | undefined {
  const rule = type.beneficiary
  if (!rule) return undefined
  const address = addressSchema(direction)
  const suffix = direction === 'request' ? 'Request' : ''
  const owner = type.kind === 'wallet' ? 'WalletIndividual' : schemaName(type)
  const individual = object(`${owner}Beneficiary${suffix}`, {
    beneficiaryType: oneOf(['INDIVIDUAL']),
    ...fieldSchemas(rule.individual, direction),
    ...(rule.individualAddress === 'required' && { address }),
    ...(rule.individualAddress === 'optional' && { address: Type.Optional(address) }),
  })
  const business = object(`BusinessBeneficiary${suffix}`, {
    beneficiaryType: oneOf(['BUSINESS']),
    ...fieldSchemas(BUSINESS, direction),
    address: Type.Optional(address),
  })
  const union = taggedUnion('beneficiaryType', [individual, business])
  return rule.isRequired ? union : Type.Optional(union)
}

function variant(type: AccountType, direction: Direction): TSchema {
  const names = direction === 'request' ? [type.accountType, ...(type.aliases ?? [])] : undefined
  const aliases = direction === 'request' ? (type.fieldAliases ?? {}) : {}
  const beneficiary = beneficiarySchema(type, direction)
  const title = direction === 'request' ? 'ExternalAccountCreateInfo' : 'ExternalAccountInfo'
  return object(`${schemaName(type)}${title}`, {
    accountType: oneOf(names ?? [type.accountType]),
    ...fieldSchemas(type.fields, direction),
    ...Object.fromEntries(
      Object.entries(aliases).map(([alias, field]) => [
        alias,
        Type.Optional(fieldSchema(type.fields[field] as FieldRule, direction)),
      ]),
    ),
    ...(direction === 'response' &&
      type.kind === 'fiat' && { paymentRails: Type.Array(oneOf(type.rails)) }),
    ...(beneficiary && { beneficiary }),
    ...(type.kind === 'wallet' && { vaspName: Type.Optional(Type.String()) }),
  })
}

/**
 * The schema only describes; checkAccountInfo validates, because values are normalised before they are checked
 * (EACC-4). The empty alternative lets every body pass.
 */
export const AccountInfoRequest = Type.Unsafe<unknown>({
  'x-checked-by-code': true,
  anyOf: [
    named(
      'ExternalAccountCreateInfoOneOf',
      taggedUnion(
        'accountType',
        ACCOUNT_TYPES.map((type) => variant(type, 'request')),
      ),
    ),
    {},
  ],
})

export const AccountInfoResponse = Type.Unsafe<AccountInfo>(
  named(
    'ExternalAccountInfoOneOf',
    taggedUnion(
      'accountType',
      ACCOUNT_TYPES.map((type) => variant(type, 'response')),
    ),
  ),
)
