import { digitsOf, weightedSum } from './digits.ts'

const WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/** Brazil's number of a company: twelve digits and two check digits, mod 11. Equal digits are never issued. */
export function isCnpj(text: string): boolean {
  if (!/^[0-9]{14}$/.test(text) || /^(.)\1+$/.test(text)) return false
  const digits = digitsOf(text)
  return [12, 13].every((length) => {
    const rest = weightedSum(digits.slice(0, length), WEIGHTS.slice(-length)) % 11
    return digits[length] === (rest < 2 ? 0 : 11 - rest)
  })
}
