import type { AccountType, Alternative, Values } from '../account-types/shape.ts'
import type { Given } from './fields.ts'
import { isObject } from '../../customers/index.ts'
import type { Finding } from '../account-types/finding.ts'
import { formFinding, missing, notOneOf } from '../account-types/finding.ts'

function isTouched({ needs, takes = [] }: Alternative, given: Given): boolean {
  return [...needs, ...takes].some((field) => given[field] !== undefined)
}

/** The alternative that the request uses, when it has fields of exactly one. */
function chosenAlternative(type: AccountType, given: Given): Alternative | undefined {
  const touched = (type.alternatives ?? []).filter((alternative) => isTouched(alternative, given))
  return touched.length === 1 ? touched[0] : undefined
}

/**
 * Checks "one of A / B" (chapter 30, section 5): both or neither is refused at the first missing field of A. An
 * incomplete alternative also names the fields it lacks, so that one answer is enough to correct the body.
 */
export function checkAlternatives(type: AccountType, given: Given): Finding[] {
  const [first, ...others] = type.alternatives ?? []
  if (!first) return []
  const chosen = chosenAlternative(type, given)
  const lacking = (chosen?.needs ?? []).filter((field) => given[field] === undefined)
  if (chosen && lacking.length === 0) return checkNarrower(chosen, given)
  if (chosen === first) return lacking.map(missing)

  const ways = [first, ...others].map(({ needs }) => needs.join(' with '))
  const named = first.needs.find((field) => given[field] === undefined) ?? first.needs[0]
  return [
    formFinding({ field: named as string, message: `give exactly one of: ${ways.join(', ')}` }),
    ...lacking.map(missing),
  ]
}

/** Rules of the chosen alternative only. */
function checkNarrower({ enums = {}, beneficiaryType }: Alternative, given: Given): Finding[] {
  const { beneficiary } = given
  const isOther =
    beneficiaryType !== undefined &&
    isObject(beneficiary) &&
    beneficiary['beneficiaryType'] !== beneficiaryType
  const isAllowed = (value: unknown, allowed: readonly unknown[]) => allowed.includes(value)
  return [
    ...Object.entries(enums)
      .filter(([field, allowed]) => given[field] !== undefined && !isAllowed(given[field], allowed))
      .map(([field, allowed]) => notOneOf(field, allowed)),
    ...(isOther ? [notOneOf('beneficiary.beneficiaryType', [beneficiaryType])] : []),
  ]
}

/** The rails of a valid account, default first. */
export function railsOf(type: AccountType, values: Values): readonly string[] {
  const rails = chosenAlternative(type, values)?.rails ?? type.rails
  return 'from' in rails ? [values[rails.from] as string] : rails
}
