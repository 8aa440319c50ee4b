import { composeIBAN } from 'ibantools'
import { invariant } from '../../../../kernel/invariant.ts'
import { decimalDigits, digitsIn } from './seed.ts'

/** A routing number of a range without banks (former travellers' cheques), with its check digit. */
export const SANDBOX_ROUTING_NUMBER = '800000006'
export const SORT_CODE = '990001'

/** A 0 in the eighth place marks a test BIC, which no network routes. */
export const bicOf = (country: string): string => `FLRN${country}20`

/** Without I, O, 0 and 1, which people confuse. */
const REFERENCE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** IACC-10 for accounts (`FUND-` and eight), QUOTE-18 for quotes (`Q` and ten). */
export function referenceOf(
  bytes: Uint8Array,
  { prefix, length }: { prefix: string; length: number },
): string {
  return `${prefix}${digitsIn(bytes, { alphabet: REFERENCE_ALPHABET, length })}`
}

/** ISO 13616, with the check digits that make it 1 mod 97. */
export function ibanOf(
  bytes: Uint8Array,
  { country, bank, accountLength }: { country: string; bank: string; accountLength: number },
): string {
  const bban = `${bank}${decimalDigits(bytes, accountLength)}`
  const iban = composeIBAN({ countryCode: country, bban })
  invariant(iban, `A sandbox account number has the form that ${country} asks for.`)
  return iban
}

const weighted = (digits: string, weights: readonly number[]): number[] =>
  [...digits].map((digit, index) => parseInt(digit, 10) * (weights[index % weights.length] ?? 0))

const checkDigit = (sum: number): string => String((10 - (sum % 10)) % 10)

/** Bank (999 belongs to none), place, account, and the control digit over these 17 (EACC-6). */
export function clabeOf(bytes: Uint8Array): string {
  const digits = `999180${decimalDigits(bytes, 11)}`
  const sum = weighted(digits, [3, 7, 1]).reduce((total, product) => total + (product % 10), 0)
  return `${digits}${checkDigit(sum)}`
}

/** Argentina's 22 digits: entity and branch with a check digit, account with another. */
export function cbuOf(bytes: Uint8Array): string {
  const block = (digits: string, weights: readonly number[]): string =>
    `${digits}${checkDigit(weighted(digits, weights).reduce((total, product) => total + product, 0))}`
  return block('0009999', [7, 1, 3, 9, 7, 1, 3]) + block(decimalDigits(bytes, 13), [3, 9, 7, 1])
}
