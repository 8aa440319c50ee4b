import { base58 } from '@scure/base'

const KEY_LENGTH = 32

/** 32 bytes take 32 (all zero) to 44 characters of base58. */
const FORM = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const FORM_WITH_SUFFIX = /^[1-9A-HJ-NP-Za-km-z]{29,41}[0-9]{3}$/

/** The public key that a Solana address encodes. */
export function solanaKey(address: string): Uint8Array | undefined {
  if (!FORM.test(address)) return undefined
  const key = base58.decode(address)
  return key.length === KEY_LENGTH ? key : undefined
}

export function isSolanaAddress(address: string): boolean {
  return solanaKey(address) !== undefined
}

/** A sandbox suffix has zeros, which base58 lacks, so alphabet and length are not checked (chapter 30, section 8). */
export function isSolanaAddressWithSuffix(address: string): boolean {
  return FORM_WITH_SUFFIX.test(address)
}
