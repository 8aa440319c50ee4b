import type { AccountType, BeneficiaryRule, FieldRules } from '../account-types/shape.ts'
import { ADDRESS, BENEFICIARY_TYPES, BUSINESS, COMMON } from '../account-types/beneficiary.ts'
import type { Given } from './fields.ts'
import { isObject } from '../../customers/index.ts'
import { checkFields, normaliseFields } from './fields.ts'
import type { Finding } from '../account-types/finding.ts'
import { formFinding, missing, notOneOf, strictFinding, under } from '../account-types/finding.ts'

export type Beneficiary = Readonly<Record<string, unknown>>

type Checked = Readonly<{ beneficiary?: Beneficiary; findings: Finding[] }>

/** Checks the beneficiary by its type (EACC-7, EACC-8). Findings are relative to `accountInfo`. */
export function checkBeneficiary(type: AccountType, given: unknown, now: Date): Checked {
  const rule = type.beneficiary
  if (!rule) return { findings: [] }
  if (given === undefined) {
    return { findings: rule.isRequired ? [missing('beneficiary')] : [] }
  }
  if (!isObject(given)) {
    return { findings: [formFinding({ field: 'beneficiary', message: 'must be an object' })] }
  }
  const { beneficiaryType } = given
  const rules = rulesOf(rule, beneficiaryType)
  const values = normaliseFields(rules, given)
  const address = checkAddress(rule, given, now)
  const findings = [
    ...checkType(beneficiaryType),
    ...checkFields({ rules, given, values, now }),
    ...address.findings,
    ...checkComplete(rule, given),
  ]
  return {
    beneficiary: {
      beneficiaryType,
      ...values,
      ...(address.address && { address: address.address }),
    },
    findings: under('beneficiary', findings),
  }
}

function checkType(beneficiaryType: unknown): Finding[] {
  if (beneficiaryType === undefined) return [missing('beneficiaryType')]
  return BENEFICIARY_TYPES.some((type) => type === beneficiaryType)
    ? []
    : [notOneOf('beneficiaryType', BENEFICIARY_TYPES)]
}

function rulesOf({ individual }: BeneficiaryRule, beneficiaryType: unknown): FieldRules {
  if (beneficiaryType === 'INDIVIDUAL') return individual
  return beneficiaryType === 'BUSINESS' ? BUSINESS : COMMON
}

function checkAddress(rule: BeneficiaryRule, given: Given, now: Date) {
  const { address, beneficiaryType } = given
  const isIndividual = beneficiaryType === 'INDIVIDUAL'
  if (isIndividual && rule.individualAddress === 'none') return { findings: [] }
  if (address === undefined) {
    const isMissing = isIndividual && rule.individualAddress === 'required'
    return { findings: isMissing ? [missing('address')] : [] }
  }
  if (!isObject(address)) {
    return { findings: [formFinding({ field: 'address', message: 'must be an object' })] }
  }
  const values = normaliseFields(ADDRESS, address)
  const findings = checkFields({ rules: ADDRESS, given: address, values, now })
  return { address: values, findings: under('address', findings) }
}

/** Strict: fields that the receiving bank requires before it credits. */
function checkComplete(rule: BeneficiaryRule, given: Given): Finding[] {
  return completePaths(rule, given['beneficiaryType'])
    .filter((path) => isLacking(given, path))
    .map((field) => strictFinding({ field, message: 'is required for this type of account' }))
}

function completePaths(rule: BeneficiaryRule, beneficiaryType: unknown): readonly string[] {
  if (beneficiaryType === 'INDIVIDUAL') return rule.individualComplete
  return beneficiaryType === 'BUSINESS' ? ['address', ...rule.businessComplete] : []
}

/** True when the last step of the path is empty; a missing parent is reported separately. */
function isLacking(given: Given, path: string): boolean {
  const steps = path.split('.')
  const last = steps.pop() as string
  let parent: unknown = given
  for (const step of steps) parent = isObject(parent) ? parent[step] : undefined
  if (!isObject(parent)) return false
  const value = parent[last]
  return value === undefined || (typeof value === 'string' && value.trim() === '')
}
