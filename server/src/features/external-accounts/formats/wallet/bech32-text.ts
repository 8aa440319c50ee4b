/** Characters after the separator of any bech32 text. */
export const BECH32_CHARACTERS = '[02-9ac-hj-np-z]'

/** Bech32 may be written in capitals throughout; then it is lowered. Mixed case is left, to be refused. */
export function lowerIfAllUpper(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text
}
