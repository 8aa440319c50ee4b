import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const FORM = /^0x[0-9a-fA-F]{40}$/

/** Form: twenty bytes in hex, and not the zero address, which has no holder. */
export function hasEvmForm(address: string): boolean {
  return FORM.test(address) && !/^0x0{40}$/.test(address)
}

/** The mixed-case spelling of EIP-55: a letter is a capital where the hash of the address says so. */
export function toChecksumAddress(address: string): string {
  const hex = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)))
  const spelled = [...hex].map((character, index) =>
    (hash[index] as string) >= '8' ? character.toUpperCase() : character,
  )
  return `0x${spelled.join('')}`
}

/** Strict: mixed case is a checksum and must be right; a single case carries none. */
export function hasTrueEvmCase(address: string): boolean {
  const hex = address.slice(2)
  if (hex === hex.toLowerCase() || hex === hex.toUpperCase()) return true
  return address === toChecksumAddress(address)
}
