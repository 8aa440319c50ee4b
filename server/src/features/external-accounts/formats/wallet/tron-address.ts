import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

const FORM = /^T[1-9A-HJ-NP-Za-km-z]{33}$/
const FORM_WITH_SUFFIX = /^T[1-9A-HJ-NP-Za-km-z]{30}[0-9]{3}$/
const MAINNET = 0x41
const ADDRESS_LENGTH = 21

const base58check = createBase58check(sha256)

export function hasTronForm(address: string): boolean {
  return FORM.test(address)
}

/** A sandbox suffix may leave the alphabet (chapter 30, section 8). */
export function hasTronFormWithSuffix(address: string): boolean {
  return FORM_WITH_SUFFIX.test(address)
}

/** Strict: base58check of 21 bytes, the first being Tron's 0x41. */
export function isTronAddress(address: string): boolean {
  try {
    const bytes = base58check.decode(address)
    return bytes.length === ADDRESS_LENGTH && bytes[0] === MAINNET
  } catch {
    // The decoder throws on a wrong character or checksum.
    return false
  }
}

/** The address of a twenty-byte key hash. */
export function toTronAddress(hash: Uint8Array): string {
  return base58check.encode(new Uint8Array([MAINNET, ...hash]))
}
