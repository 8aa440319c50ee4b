import { digitsOf, weightedSum } from './digits.ts'

const CHECK_WEIGHTS = [3, 7, 1]

/** A routing number has nine digits, 3-7-1 weighted, divisible by ten; all zeros are never issued (EACC-6). */
export function isAbaRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || /^0+$/.test(text)) return false
  return weightedSum(digitsOf(text), CHECK_WEIGHTS) % 10 === 0
}

/** The eighteenth digit of a CLABE checks the first seventeen, each product taken mod 10 (EACC-6). */
export function isClabe(text: string): boolean {
  if (!/^[0-9]{18}$/.test(text)) return false
  const digits = digitsOf(text)
  const sum = digits
    .slice(0, 17)
    .reduce(
      (total, digit, index) => total + ((digit * (CHECK_WEIGHTS[index % 3] as number)) % 10),
      0,
    )
  return digits[17] === (10 - (sum % 10)) % 10
}

/** The sort code of a British branch. */
export const SORT_CODE_PATTERN = '^[0-9]{6}$'

/** Removes the separators of `12-34-56`, which rails do not accept. */
export function bareSortCode(text: string): string {
  return text.replace(/[\s-]/g, '')
}
