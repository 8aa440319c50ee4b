import type { FieldConstraint } from '../../../kernel/errors.ts'
import { formatMessage } from '../../../kernel/text/formats.ts'
import type { FieldRule, FieldRules, Values } from '../account-types/shape.ts'
import type { Finding } from '../account-types/finding.ts'
import { formFinding, missing, notOneOf, strictFinding } from '../account-types/finding.ts'

export type Given = Readonly<Record<string, unknown>>

/** The text fields that rules name, normalised (EACC-4). */
export function normaliseFields(rules: FieldRules, given: Given): Values {
  const values: Record<string, string> = {}
  for (const [field, rule] of Object.entries(rules)) {
    const value = given[field]
    if (typeof value === 'string') values[field] = rule.normalise(value, given)
  }
  return values
}

type CheckFieldsInput = Readonly<{
  rules: FieldRules
  given: Given
  values: Values
  now: Date
  /** The field whose value ends in a sandbox suffix. */
  suffixed?: string | undefined
}>

/** Checks each field alone: present if required, a text, and as its rule demands. */
export function checkFields({ rules, given, values, now, suffixed }: CheckFieldsInput): Finding[] {
  return Object.entries(rules).flatMap(([field, rule]) => {
    if (given[field] === undefined) return rule.required ? [missing(field)] : []
    const value = values[field]
    if (value === undefined) return [formFinding({ field, message: 'must be a string' })]
    return checkValue({ field, rule, value, now, isSuffixed: field === suffixed })
  })
}

type CheckValueInput = Readonly<{
  field: string
  rule: FieldRule
  value: string
  now: Date
  isSuffixed: boolean
}>

function checkValue({ field, rule, value, now, isSuffixed }: CheckValueInput): Finding[] {
  if (rule.enum && !rule.enum.includes(value)) return [notOneOf(field, rule.enum)]
  const limits = brokenLimits(rule, value)
  const form = isSuffixed ? (rule.formWithSuffix ?? rule.form) : rule.form
  if (limits || (form && !form(value, now))) {
    return [formFinding({ field, ...describe(rule, limits) })]
  }
  if (rule.strict && !rule.strict(value, now)) {
    return [strictFinding({ field, ...describe(rule) })]
  }
  return []
}

function brokenLimits(rule: FieldRule, value: string): FieldConstraint | undefined {
  const { minLength = 0, maxLength = Infinity, pattern } = rule
  // A character has at most two units; text far beyond its limit need not be counted.
  const length = value.length > 2 * maxLength ? value.length : [...value].length
  const broken: FieldConstraint = {
    ...(length < minLength && { minLength }),
    ...(length > maxLength && { maxLength }),
    ...(pattern !== undefined && !new RegExp(pattern).test(value) && { pattern }),
  }
  return Object.keys(broken).length > 0 ? broken : undefined
}

function describe(rule: FieldRule, limits: FieldConstraint = {}) {
  const constraint = { ...(rule.format !== undefined && { format: rule.format }), ...limits }
  return {
    message: messageOf(constraint),
    ...(Object.keys(constraint).length > 0 && { constraint }),
  }
}

function messageOf({ format, minLength, maxLength }: FieldConstraint): string {
  if (format !== undefined) return formatMessage(format)
  if (minLength !== undefined) return `must have at least ${minLength} characters`
  if (maxLength !== undefined) return `must have at most ${maxLength} characters`
  return 'has the wrong form'
}
