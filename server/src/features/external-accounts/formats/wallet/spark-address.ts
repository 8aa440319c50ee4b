import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bech32m } from '@scure/base'
import { BECH32_CHARACTERS } from './bech32-text.ts'

/** Mainnet, testnet, regtest, signet and local, in today's and in the older spelling. */
const PREFIXES = 'spark|sparkt|sparkrt|sparks|sparkl|sp|spt|sprt|sps|spl'

const FORM = new RegExp(`^(${PREFIXES})1${BECH32_CHARACTERS}{40,}$`)
const FORM_WITH_SUFFIX = new RegExp(`^(${PREFIXES})1${BECH32_CHARACTERS}{37,}[0-9]{3}$`)

/** An address that also carries an invoice is far longer than bech32's usual 90 characters. */
const LENGTH_MAX = 1000

/** The payload is a protobuf message whose first field (tag 0x0a) is the 33-byte identity key. */
const KEY_TAG = 0x0a
const KEY_LENGTH = 33

export function hasSparkForm(address: string): boolean {
  return address.length <= LENGTH_MAX && FORM.test(address)
}

/** A sandbox suffix may leave the alphabet: bech32 has no 1 (chapter 30, section 8). */
export function hasSparkFormWithSuffix(address: string): boolean {
  return address.length <= LENGTH_MAX && FORM_WITH_SUFFIX.test(address)
}

/** The identity key inside an address whose checksum holds and whose key lies on the curve. */
export function sparkIdentityKey(address: string): Uint8Array | undefined {
  const decoded = bech32m.decodeUnsafe(address, LENGTH_MAX)
  const payload = decoded && bech32m.fromWordsUnsafe(decoded.words)
  if (!payload || payload[0] !== KEY_TAG || payload[1] !== KEY_LENGTH) return undefined
  const key = payload.slice(2, 2 + KEY_LENGTH)
  return secp256k1.utils.isValidPublicKey(key, true) ? key : undefined
}

/** Strict: checksum, key, and an address of the main network. */
export function isMainnetSparkAddress(address: string): boolean {
  return /^(spark|sp)1/.test(address) && sparkIdentityKey(address) !== undefined
}
