/** The Luhn sum: from the last digit on, every second digit counts double. */
function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, character, place) => {
    const digit = character.charCodeAt(0) - '0'.charCodeAt(0)
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    return sum + (place % 2 === 1 ? doubled : digit)
  }, 0)
}

/** The number with its Luhn check digit appended. */
export const withCheckDigit = (digits: string): string =>
  `${digits}${(10 - (luhnSum(`${digits}0`) % 10)) % 10}`

const NUMBER_LENGTH_MIN = 13
const NUMBER_LENGTH_MAX = 19
/** Digits in one piece or in groups of up to four. */
const DIGITS = /(?<!\d)(?:\d{13,19}|\d{4}(?: \d{2,4}){2,4})(?!\d)/g
const NUMBER_REMOVED = '[card number removed]'

function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(' ', '')
  const isLongEnough = digits.length >= NUMBER_LENGTH_MIN && digits.length <= NUMBER_LENGTH_MAX
  return isLongEnough && luhnSum(digits) % 10 === 0
}

/** The value with every card number in it, at any depth, replaced: nothing of one may be kept (PROV-110). */
export function withoutCardNumbers<T>(value: T): T {
  return redacted(value) as T
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(DIGITS, (digits) => (isCardNumber(digits) ? NUMBER_REMOVED : digits))
  }
  if (typeof value === 'number') return isCardNumber(String(value)) ? NUMBER_REMOVED : value
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redacted(one)]))
}

/** Whether a card number was removed from the value. */
export const hadCardNumber = (value: unknown): boolean =>
  JSON.stringify(value).includes(NUMBER_REMOVED)

export const last4Of = (number: string): string => number.slice(-4)

/** In groups of four, as printed on a card. */
export const inGroups = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ')
