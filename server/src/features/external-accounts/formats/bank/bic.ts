import { isValidBIC } from 'ibantools'

/** Strict: eight or eleven characters whose fifth and sixth name a country that exists. */
export function isBic(text: string): boolean {
  return isValidBIC(text)
}

/** The country of the institution: characters five and six. */
export function bicCountry(bic: string): string {
  return bic.slice(4, 6)
}
