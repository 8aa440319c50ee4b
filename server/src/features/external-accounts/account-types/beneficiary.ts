/** Fields of beneficiaries: individuals, businesses and addresses (EACC-7, EACC-8). */
import { isCountryCode } from '../../../kernel/text/country-codes.ts'
import { hasInvisible } from '../../../kernel/text/invisible-text.ts'
import { choice, required, text } from './fields.ts'
import type { BeneficiaryRule, FieldRule, FieldRules } from './shape.ts'
import { hasNamedFormat } from '../formats/named-format.ts'
import { isPastDate } from '../formats/past-date.ts'
import { phoneText, trimmed } from '../formats/normalise.ts'

export const BENEFICIARY_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const

/** Any script, no control or invisible characters. */
const NAME: FieldRule = {
  ...text(1, 200),
  form: (name) => !/\p{Cc}/u.test(name) && !hasInvisible(name),
}

const COUNTRY: FieldRule = {
  format: 'iso3166-1-alpha-2',
  normalise: trimmed,
  form: isCountryCode,
}

const EMAIL: FieldRule = {
  maxLength: 254,
  format: 'email',
  normalise: trimmed,
  form: (email) => hasNamedFormat('email', email),
}

/** The contract states no format for a beneficiary's phone; local numbers are accepted. */
const TELEPHONE: FieldRule = {
  format: 'tel',
  normalise: phoneText,
  form: (phone) => hasNamedFormat('tel', phone),
}

const LINE = text(0, 255)

const CONTACT: FieldRules = {
  email: EMAIL,
  phoneNumber: TELEPHONE,
  countryOfResidence: COUNTRY,
}

const INDIVIDUAL: FieldRules = {
  fullName: required(NAME),
  birthDate: { format: 'date', normalise: trimmed, form: isPastDate },
  nationality: COUNTRY,
  ...CONTACT,
}

const WALLET_INDIVIDUAL: FieldRules = {
  fullName: required(NAME),
  countryOfResidence: required(COUNTRY),
}

export const BUSINESS: FieldRules = {
  legalName: required(NAME),
  registrationNumber: text(1, 255),
  taxId: text(1, 255),
  ...CONTACT,
}

/** Fields that individuals and businesses share; all that can be checked when the type is unknown. */
export const COMMON: FieldRules = CONTACT

export const ADDRESS: FieldRules = {
  line1: required(text(1, 255)),
  line2: LINE,
  city: LINE,
  state: LINE,
  postalCode: required(text(1, 255)),
  country: required(COUNTRY),
}

export const COLOMBIAN_DOCUMENT: FieldRules = {
  documentType: choice(['CC', 'CE', 'TI', 'NIT', 'PP']),
  documentNumber: text(1, 50),
}

export const REGISTRATION_NUMBER: FieldRules = { registrationNumber: text(1, 255) }

type Needs = Readonly<{
  /** Fields that only this account type has. */
  extra?: FieldRules
  /** Optional fields that this account type requires. */
  requires?: readonly ('phoneNumber' | 'countryOfResidence' | 'address')[]
  complete?: readonly string[]
  businessComplete?: readonly string[]
}>

/** The beneficiary of a fiat account. */
export function beneficiary(needs: Needs = {}): BeneficiaryRule {
  const individual: Record<string, FieldRule> = { ...INDIVIDUAL, ...needs.extra }
  for (const field of needs.requires ?? []) {
    if (field !== 'address') individual[field] = required(individual[field] as FieldRule)
  }
  return {
    isRequired: true,
    individual,
    individualAddress: needs.requires?.includes('address') ? 'required' : 'optional',
    individualComplete: needs.complete ?? [],
    businessComplete: needs.businessComplete ?? [],
  }
}

/** The beneficiary of a wallet is optional. */
export const WALLET_BENEFICIARY: BeneficiaryRule = {
  isRequired: false,
  individual: WALLET_INDIVIDUAL,
  individualAddress: 'none',
  individualComplete: [],
  businessComplete: [],
}
