/** Rules between fields of one account. */
import type { AccountType, Values } from '../account-types/shape.ts'
import type { CallingCode } from '../formats/bank/phone.ts'
import { bicCountry } from '../formats/bank/bic.ts'
import { hasCallingCode, phonePatternOf } from '../formats/bank/phone.ts'
import type { Given } from './fields.ts'
import type { Finding } from '../account-types/finding.ts'
import { formFinding, missing, strictFinding } from '../account-types/finding.ts'

export type BankNamesFor = (place: { country: string; currency: string }) => readonly string[]

/** Checks which fields are present, regardless of their values. */
export function checkPresence(type: AccountType, given: Given): Finding[] {
  const isGiven = (field: string) => given[field] !== undefined
  const { together = [], atLeastOne = [] } = type
  const halves = together.some(isGiven) ? together.filter((field) => !isGiven(field)) : []
  const [first] = atLeastOne
  return [
    ...halves.map(missing),
    ...(first === undefined || atLeastOne.some(isGiven)
      ? []
      : [formFinding({ field: first, message: `give at least one of: ${atLeastOne.join(', ')}` })]),
  ]
}

/** Checks values against each other; `values` holds only well-formed fields. */
export function checkCompanions(
  type: AccountType,
  values: Values,
  bankNamesFor: BankNamesFor,
): Finding[] {
  return [
    ...checkCallingCode(type, values),
    ...checkProvider(type, values),
    ...checkBicCountry(type, values),
    ...checkBankName(type, values, bankNamesFor),
    ...(type.check?.(values) ?? []),
  ]
}

function callingCodeOf({ callingCode }: AccountType, values: Values): CallingCode | undefined {
  if (!callingCode || !('byRegion' in callingCode)) return callingCode
  return callingCode.byRegion[values['region'] ?? '']
}

function checkCallingCode(type: AccountType, { phoneNumber, ...others }: Values): Finding[] {
  const callingCode = callingCodeOf(type, others)
  if (!callingCode || phoneNumber === undefined) return []
  if (hasCallingCode(phoneNumber, callingCode)) return []
  const pattern = phonePatternOf(callingCode)
  const message = `must be a number of +${callingCode.code}`
  return [formFinding({ field: 'phoneNumber', message, constraint: { format: 'e.164', pattern } })]
}

function checkProvider({ providers }: AccountType, { provider }: Values): Finding[] {
  if (!providers || provider === undefined) return []
  if (providers.includes(provider.toUpperCase())) return []
  const message = `must be one of ${providers.join(', ')}`
  return [strictFinding({ field: 'provider', message, constraint: { enum: providers } })]
}

function checkBicCountry({ bicCountry: expected }: AccountType, values: Values): Finding[] {
  const { swiftCode } = values
  if (expected === undefined || swiftCode === undefined) return []
  const country = typeof expected === 'string' ? expected : values[expected.from]?.slice(0, 2)
  if (country === undefined || bicCountry(swiftCode) === country) return []
  const message = `must be the BIC of an institution in ${country}`
  return [strictFinding({ field: 'swiftCode', message, constraint: { format: 'bic' } })]
}

function checkBankName(
  { directory, currencies }: AccountType,
  { bankName }: Values,
  bankNamesFor: BankNamesFor,
): Finding[] {
  const currency = currencies[0]
  if (directory === undefined || currency === undefined || bankName === undefined) return []
  if (bankNamesFor({ country: directory, currency }).includes(bankName)) return []
  const message = `must be a bankName that GET /discoveries lists for ${directory} and ${currency}`
  return [strictFinding({ field: 'bankName', message })]
}
