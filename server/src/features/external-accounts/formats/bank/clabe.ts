import { digitsOf } from './digits.ts'

const WEIGHTS = [3, 7, 1]

/** EACC-6: the eighteenth digit of a CLABE checks the first seventeen, each product taken mod 10. */
export function isClabe(text: string): boolean {
  if (!/^[0-9]{18}$/.test(text)) return false
  const digits = digitsOf(text)
  const sum = digits
    .slice(0, 17)
    .reduce((total, digit, index) => total + ((digit * (WEIGHTS[index % 3] as number)) % 10), 0)
  return digits[17] === (10 - (sum % 10)) % 10
}
