/** Characters after the separator of any bech32 text. */
export const BECH32_CHARACTERS = '[02-9ac-hj-np-z]'

/** Lowers bech32 that is written all in capitals. Mixed case stays, to be refused. */
export function lowerIfAllUpper(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text
}
