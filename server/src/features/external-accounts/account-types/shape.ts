/** The shape of one row of the table of account types (table.ts). */
import type { CallingCode } from '../formats/bank/phone.ts'
import type { Finding } from './finding.ts'
import type { Normaliser } from '../formats/normalise.ts'

/** Normalised fields that were given as text; a field that was not is absent. */
export type Values = Readonly<Record<string, string>>

export type FieldRule = Readonly<{
  required?: true
  minLength?: number
  maxLength?: number
  pattern?: string
  enum?: readonly string[]
  /** The name in `constraint.format` when the value breaks any of the rules here (EACC-3). */
  format?: string
  normalise: Normaliser
  form?: (value: string, now: Date) => boolean
  /** Replaces `form` where a value that ends in a sandbox suffix cannot keep it (chapter 30, section 8). */
  formWithSuffix?: (value: string) => boolean
  strict?: (value: string, now: Date) => boolean
  /** Base58 spells different things in different cases, so duplicates are compared as they stand. */
  caseMatters?: true
}>

export type FieldRules = Readonly<Record<string, FieldRule>>

/** One of several ways to name the account; exactly one must be given, whole. */
export type Alternative = Readonly<{
  needs: readonly string[]
  /** Optional fields that belong to this way only. */
  takes?: readonly string[]
  rails: readonly string[] | Readonly<{ from: string }>
  beneficiaryType?: 'INDIVIDUAL' | 'BUSINESS'
  /** Narrower choices that hold only this way. */
  enums?: Readonly<Record<string, readonly string[]>>
}>

export type BeneficiaryRule = Readonly<{
  isRequired: boolean
  individual: FieldRules
  /** Whether an individual's address is taken at all; a business's always is. */
  individualAddress: 'none' | 'optional' | 'required'
  /** Strict: dot paths an individual must have (`address.city`). */
  individualComplete: readonly string[]
  /** Strict: dot paths a business must have, beside the address that all need. */
  businessComplete: readonly string[]
}>

export type AccountType = Readonly<{
  accountType: string
  /** Other names taken on input; the answer bears `accountType`. */
  aliases?: readonly string[]
  fieldAliases?: Readonly<Record<string, string>>
  kind: 'fiat' | 'wallet' | 'lightning'
  /** `any-fiat`: every fiat currency of the catalogue. */
  currencies: readonly string[] | 'any-fiat'
  /** All it may have, default first; `alternatives` narrow them by the fields given. */
  rails: readonly string[]
  fields: FieldRules
  alternatives?: readonly Alternative[]
  /** Both or neither. */
  together?: readonly string[]
  atLeastOne?: readonly string[]
  /** The first of these that is given decides sandbox outcomes. */
  identifier: readonly string[]
  /** Of `phoneNumber`; by the value of `region` where the currency has several countries. */
  callingCode?: CallingCode | Readonly<{ byRegion: Readonly<Record<string, CallingCode>> }>
  /** Strict, any case. */
  providers?: readonly string[]
  /** Strict: the country whose directory must hold `bankName`. */
  directory?: string
  /** Strict: the country in `swiftCode`, fixed or that of another field's first two letters. */
  bicCountry?: string | Readonly<{ from: string }>
  beneficiary?: BeneficiaryRule
  /** What only this type knows; fields are relative to `accountInfo`. */
  check?: (values: Values) => Finding[]
}>
