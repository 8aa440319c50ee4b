/**
 * Reads `currency` and `accountInfo` of a create request: finds the type's row, normalises (EACC-4), and checks form
 * and strict rules together, so that one answer names every fault (EACC-3).
 */
import type { FieldError } from '../../../kernel/errors.ts'
import type { AccountType, Values } from '../account-types/shape.ts'
import { ACCOUNT_TYPE_NAMES, currenciesOf, findAccountType } from '../account-types/table.ts'
import { checkAlternatives, railsOf } from './alternatives.ts'
import { checkBeneficiary } from './beneficiary.ts'
import type { BankNamesFor } from './companions.ts'
import { checkCompanions, checkPresence } from './companions.ts'
import type { Given } from './fields.ts'
import { isObject } from '../../customers/index.ts'
import { checkFields, normaliseFields } from './fields.ts'
import { duplicateKey } from '../records/duplicate-key.ts'
import type { Finding } from '../account-types/finding.ts'
import {
  firstPerField,
  formFinding,
  missing,
  notOneOf,
  toFieldError,
  under,
} from '../account-types/finding.ts'
import { hasSandboxSuffix } from '../formats/sandbox-suffix.ts'

export type AccountRules = Readonly<{
  /** PRODUCTION, or a sandbox with strict identifiers. */
  strict: boolean
  /** Sandbox suffixes count in sandboxes only. */
  sandbox: boolean
  now: Date
  vaspNames: readonly string[]
  bankNamesFor: BankNamesFor
}>

export type CheckedAccount = Readonly<{
  accountType: string
  currency: string
  /** Default first; empty on wallets and Lightning. */
  paymentRails: readonly string[]
  /** As stored and answered: normalised, under the contract's names, with the rails of a fiat type. */
  accountInfo: Readonly<Record<string, unknown>>
  /** The field that identifies the account, and its value, which decides sandbox outcomes (sandbox-suffix.ts). */
  identifiedBy: string
  identifier: string
  /** Unique among the accounts of one owner (EACC-10). */
  duplicateKey: string
}>

export type AccountInfoResult =
  | Readonly<{ ok: true; account: CheckedAccount; warnings: string[] }>
  | Readonly<{ ok: false; errors: FieldError[] }>

export function checkAccountInfo({
  body,
  ...rules
}: AccountRules & Readonly<{ body: Given }>): AccountInfoResult {
  const { currency, accountInfo } = body
  if (!isObject(accountInfo)) {
    const message = accountInfo === undefined ? 'is required' : 'must be an object'
    return refused([...checkCurrency(currency), formFinding({ field: 'accountInfo', message })])
  }
  const type = findAccountType(accountInfo['accountType'])
  if (!type) {
    const unknown = notOneOf('accountInfo.accountType', ACCOUNT_TYPE_NAMES)
    return refused([...checkCurrency(currency), unknown])
  }
  const given = withContractNames(type, accountInfo)
  const read = readAccount(type, given, rules)
  const findings = [
    ...checkCurrency(currency, currenciesOf(type)),
    ...under('accountInfo', read.findings),
  ]
  const refusals = rules.strict ? findings : findings.filter(({ level }) => level === 'form')
  if (refusals.length > 0) return refused(refusals)
  return {
    ok: true,
    account: toAccount({ type, currency: currency as string, read }),
    warnings: findings.map(({ field }) => field),
  }
}

function refused(findings: readonly Finding[]): AccountInfoResult {
  return { ok: false, errors: findings.map(toFieldError) }
}

/** Without a known type only the presence of a currency can be checked (EACC-1). */
function checkCurrency(currency: unknown, allowed?: readonly string[]): Finding[] {
  if (currency === undefined) return [missing('currency')]
  if (typeof currency !== 'string') {
    return [formFinding({ field: 'currency', message: 'must be a string' })]
  }
  return !allowed || allowed.includes(currency) ? [] : [notOneOf('currency', allowed)]
}

function withContractNames({ fieldAliases = {} }: AccountType, given: Given): Given {
  const renamed = Object.entries(fieldAliases)
    .filter(([alias]) => given[alias] !== undefined)
    .map(([alias, field]) => [field, given[alias]] as const)
  return { ...Object.fromEntries(renamed), ...given }
}

type ReadAccount = Readonly<{
  values: Values
  vaspName?: string
  beneficiary?: Readonly<Record<string, unknown>>
  identifierField: string
  findings: Finding[]
}>

function readAccount(
  type: AccountType,
  given: Given,
  { sandbox, now, vaspNames, bankNamesFor }: AccountRules,
): ReadAccount {
  const values = normaliseFields(type.fields, given)
  const identifierField = type.identifier.find((field) => field in values) ?? ''
  const isMagic = sandbox && hasSandboxSuffix(values[identifierField] ?? '')
  const suffixed = isMagic ? identifierField : undefined

  const fields = checkFields({ rules: type.fields, given, values, now, suffixed })
  const broken = new Set(fields.filter(({ level }) => level === 'form').map(({ field }) => field))
  const wellFormed = Object.fromEntries(
    Object.entries(values).filter(([field]) => !broken.has(field)),
  )
  const vasp = checkVaspName(type, given, vaspNames)
  const beneficiary = checkBeneficiary(type, given['beneficiary'], now)
  const findings = [
    ...fields,
    ...checkAlternatives(type, { ...given, ...values }),
    ...checkPresence(type, given),
    ...checkCompanions(type, wellFormed, bankNamesFor),
    ...beneficiary.findings,
    ...vasp.findings,
  ]
  return {
    values,
    ...(vasp.vaspName !== undefined && { vaspName: vasp.vaspName }),
    ...(beneficiary.beneficiary && { beneficiary: beneficiary.beneficiary }),
    identifierField,
    // Strict checks do not apply to a magic identifier (chapter 30, section 8).
    findings: firstPerField(
      findings.filter(({ field, level }) => level === 'form' || field !== suffixed),
    ),
  }
}

/** A custodian is in the directory under its exact name (EACC-8). */
function checkVaspName(type: AccountType, given: Given, vaspNames: readonly string[]) {
  const { vaspName } = given
  if (type.kind !== 'wallet' || vaspName === undefined) return { findings: [] }
  const name = typeof vaspName === 'string' ? vaspName.trim() : undefined
  if (name !== undefined && vaspNames.includes(name)) return { vaspName: name, findings: [] }
  const message = 'must be a vaspName that GET /vasps lists'
  return { findings: [formFinding({ field: 'vaspName', message })] }
}

function toAccount({
  type,
  currency,
  read,
}: Readonly<{
  type: AccountType
  currency: string
  read: ReadAccount
}>): CheckedAccount {
  const { values, beneficiary, vaspName, identifierField } = read
  const { accountType } = type
  const paymentRails = railsOf(type, values)
  return {
    accountType,
    currency,
    paymentRails,
    accountInfo: {
      accountType,
      ...values,
      ...(type.kind === 'fiat' && { paymentRails }),
      ...(beneficiary && { beneficiary }),
      ...(vaspName !== undefined && { vaspName }),
    },
    identifiedBy: identifierField,
    identifier: values[identifierField] ?? '',
    duplicateKey: duplicateKey({ type, currency, identifierField, values }),
  }
}
