import { BECH32_CHARACTERS } from './bech32-text.ts'

/** Form: an offer says what it is in its first four letters. */
export function hasBolt12Form(text: string): boolean {
  return /^lno1\S+$/.test(text)
}

/** Strict: nothing but bech32 characters follows; BOLT 12 texts carry no checksum. */
export function isBolt12Offer(text: string): boolean {
  return new RegExp(`^lno1${BECH32_CHARACTERS}+$`).test(text)
}
