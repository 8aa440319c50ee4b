import { digitsOf, weightedSum } from './digits.ts'

const WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]

/** Brazil's number of a person: nine digits and two check digits, mod 11. Equal digits are never issued. */
export function isCpf(text: string): boolean {
  if (!/^[0-9]{11}$/.test(text) || /^(.)\1+$/.test(text)) return false
  const digits = digitsOf(text)
  return [9, 10].every((length) => {
    const sum = weightedSum(digits.slice(0, length), WEIGHTS.slice(-length))
    return digits[length] === ((sum * 10) % 11) % 10
  })
}
