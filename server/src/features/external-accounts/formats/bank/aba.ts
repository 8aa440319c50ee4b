import { digitsOf, weightedSum } from './digits.ts'

/** EACC-6: nine digits, 3-7-1 weighted, divisible by ten; the all-zero number belongs to nobody. */
export function isAbaRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || /^0+$/.test(text)) return false
  return weightedSum(digitsOf(text), [3, 7, 1]) % 10 === 0
}
