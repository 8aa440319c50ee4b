/** The shape of one row of the table of account types (table.ts). */
import type { CallingCode } from '../formats/bank/phone.ts'
import type { Finding } from './finding.ts'
import type { Normaliser } from '../formats/normalise.ts'

/** The text fields of a request, normalised; fields that are absent or no text are left out. */
export type Values = Readonly<Record<string, string>>

export type FieldRule = Readonly<{
  required?: true
  minLength?: number
  maxLength?: number
  pattern?: string
  enum?: readonly string[]
  /** `constraint.format` of the error when the value breaks any rule here (EACC-3). */
  format?: string
  normalise: Normaliser
  form?: (value: string, now: Date) => boolean
  /** Replaces `form` for values that end in a sandbox suffix and so cannot satisfy it (chapter 30, section 8). */
  formWithSuffix?: (value: string) => boolean
  strict?: (value: string, now: Date) => boolean
  /** Base58 is case-sensitive, so duplicates are compared without folding case. */
  caseMatters?: true
}>

export type FieldRules = Readonly<Record<string, FieldRule>>

/** One of several ways to identify the account; a request completes exactly one. */
export type Alternative = Readonly<{
  needs: readonly string[]
  /** Optional fields that belong to this alternative only. */
  takes?: readonly string[]
  rails: readonly string[] | Readonly<{ from: string }>
  beneficiaryType?: 'INDIVIDUAL' | 'BUSINESS'
  /** Narrower enums that apply to this alternative only. */
  enums?: Readonly<Record<string, readonly string[]>>
}>

export type BeneficiaryRule = Readonly<{
  isRequired: boolean
  individual: FieldRules
  /** Whether an individual's address is accepted; a business's always is. */
  individualAddress: 'none' | 'optional' | 'required'
  /** Dot paths that strict checks require of an individual (`address.city`). */
  individualComplete: readonly string[]
  /** Dot paths that strict checks require of a business, beside the address. */
  businessComplete: readonly string[]
}>

export type AccountType = Readonly<{
  accountType: string
  /** Other names accepted in requests; answers say `accountType`. */
  aliases?: readonly string[]
  fieldAliases?: Readonly<Record<string, string>>
  kind: 'fiat' | 'wallet' | 'lightning'
  /** `any-fiat`: every fiat currency of the catalogue. */
  currencies: readonly string[] | 'any-fiat'
  /** All rails of the type, default first; `alternatives` narrow them by the fields of the request. */
  rails: readonly string[]
  fields: FieldRules
  alternatives?: readonly Alternative[]
  /** Fields that are sent together or not at all. */
  together?: readonly string[]
  atLeastOne?: readonly string[]
  /** The fields that may identify the account; the first one that a request has decides sandbox outcomes. */
  identifier: readonly string[]
  /** Calling code of `phoneNumber`; by `region` where the currency has several countries. */
  callingCode?: CallingCode | Readonly<{ byRegion: Readonly<Record<string, CallingCode>> }>
  /** Providers that strict checks accept, in any case. */
  providers?: readonly string[]
  /** The country whose directory strict checks look up `bankName` in. */
  directory?: string
  /** The country that strict checks require in `swiftCode`: fixed, or the first two letters of another field. */
  bicCountry?: string | Readonly<{ from: string }>
  beneficiary?: BeneficiaryRule
  /** Checks of this type alone; fields are relative to `accountInfo`. */
  check?: (values: Values) => Finding[]
}>
