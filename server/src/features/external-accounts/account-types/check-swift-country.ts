import type { Values } from './shape.ts'
import { ibanCountry } from '../formats/bank/iban.ts'
import type { Finding } from './finding.ts'
import { formFinding } from './finding.ts'

/** Countries whose banks accept payments from abroad by IBAN only. */
const IBAN_COUNTRIES: readonly string[] = ['GB', 'BR']

/** For SWIFT_ACCOUNT: some countries require an IBAN, and an IBAN belongs to the account's country. */
export function checkSwiftCountry({ country, iban }: Values): Finding[] {
  if (country === undefined) return []
  const constraint = { format: 'iban' }
  if (iban === undefined) {
    const message = `is required for ${country}`
    return IBAN_COUNTRIES.includes(country)
      ? [formFinding({ field: 'iban', message, constraint })]
      : []
  }
  if (ibanCountry(iban) === country) return []
  return [formFinding({ field: 'iban', message: `must be an IBAN of ${country}`, constraint })]
}
