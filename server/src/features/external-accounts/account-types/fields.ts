/** Fields that rows of the table are made of: the contract's patterns and lengths, and the checks of each value. */
import type { CallingCode } from '../formats/bank/phone.ts'
import type { FieldRule } from './shape.ts'
import { isAbaRoutingNumber } from '../formats/bank/national-number.ts'
import { isBic } from '../formats/bank/bic.ts'
import { hasIbanChecksum, hasIbanStructure } from '../formats/bank/iban.ts'
import { PHONE_PATTERN, phonePatternOf } from '../formats/bank/phone.ts'
import { bicText, ibanText, phoneText, trimmed, withoutBlanks } from '../formats/normalise.ts'

export function required(rule: FieldRule): FieldRule {
  return { ...rule, required: true }
}

export function text(minLength: number, maxLength: number): FieldRule {
  return { minLength, maxLength, normalise: trimmed }
}

export function choice(values: readonly string[]): FieldRule {
  return { enum: values, normalise: trimmed }
}

/** A number of `min` to `max` digits; blanks are removed first. */
export function digits(min: number, max: number = min): FieldRule {
  const count = min === max ? `${min}` : `${min},${max}`
  return {
    minLength: min,
    maxLength: max,
    pattern: `^[0-9]{${count}}$`,
    normalise: withoutBlanks,
  }
}

export const BANK_NAME = text(1, 255)

export const PROVIDER = text(1, 255)

export const BANK_ACCOUNT_TYPE = choice(['CHECKING', 'SAVINGS'])

/** An account number without a national format. */
export const ACCOUNT_NUMBER: FieldRule = { minLength: 1, maxLength: 34, normalise: withoutBlanks }

export const LATIN_ACCOUNT_NUMBER: FieldRule = { ...ACCOUNT_NUMBER, pattern: '^[0-9A-Z-]{1,34}$' }

export const ROUTING_NUMBER: FieldRule = {
  ...digits(9),
  format: 'aba-routing-number',
  strict: isAbaRoutingNumber,
}

export const BIC: FieldRule = {
  minLength: 8,
  maxLength: 11,
  pattern: '^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$',
  format: 'bic',
  normalise: bicText,
  strict: isBic,
}

/** An IBAN of any country, with that country's structure. */
export const IBAN: FieldRule = {
  minLength: 15,
  maxLength: 34,
  pattern: '^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$',
  format: 'iban',
  normalise: ibanText,
  form: hasIbanStructure,
  strict: hasIbanChecksum,
}

/** An IBAN of one country, whose structure the pattern states. */
export function ibanOf(pattern: string, length: number): FieldRule {
  return {
    minLength: length,
    maxLength: length,
    pattern,
    format: 'iban',
    normalise: ibanText,
    strict: hasIbanChecksum,
  }
}

export const PHONE: FieldRule = {
  minLength: 7,
  maxLength: 15,
  pattern: PHONE_PATTERN,
  format: 'e.164',
  normalise: phoneText,
}

/** A phone number whose pattern includes the calling code. */
export function phoneOf(callingCode: CallingCode): FieldRule {
  return { ...PHONE, pattern: phonePatternOf(callingCode) }
}
