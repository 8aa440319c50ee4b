import { ECDH } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'

// Valid addresses without a private key, because they are made from hashes and not from keys. Only `sparkAddressOfKey`
// takes a real key.

const HASH_LENGTH = 20
const TRON_MAINNET = 0x41
const COMPRESSED_EVEN = 0x02
const SPARK_KEY_TAG = 0x0a
const LENGTH_MAX = 1000

export const solanaAddressOf = (bytes: Uint8Array): string => base58.encode(bytes)

/** The hash of the address decides which letters are capitals (EIP-55). */
export function evmAddressOf(bytes: Uint8Array): string {
  const hex = bytesToHex(bytes.subarray(0, HASH_LENGTH))
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)))
  const spelled = [...hex].map((letter, index) =>
    hash.charAt(index) >= '8' ? letter.toUpperCase() : letter,
  )
  return `0x${spelled.join('')}`
}

export function tronAddressOf(bytes: Uint8Array): string {
  const payload = Uint8Array.of(TRON_MAINNET, ...bytes.subarray(0, HASH_LENGTH))
  return createBase58check(sha256).encode(payload)
}

/** Pay to witness key hash, version 0. */
export function bitcoinAddressOf(bytes: Uint8Array): string {
  return bech32.encode('bc', [0, ...bech32.toWords(bytes.subarray(0, HASH_LENGTH))])
}

/** A point of the curve without a known private key: the first hash in a row that is an x coordinate. */
function publicKeyOf(bytes: Uint8Array): Uint8Array {
  let x = bytes
  for (;;) {
    const key = Uint8Array.of(COMPRESSED_EVEN, ...x)
    if (isOnCurve(key)) return key
    x = sha256(x)
  }
}

/** OpenSSL decides in a third of the time that a library in JavaScript takes, and every new account asks a few times. */
function isOnCurve(key: Uint8Array): boolean {
  try {
    ECDH.convertKey(key, 'secp256k1')
    return true
  } catch {
    return false
  }
}

/** A Spark address is a protobuf message whose first field is the identity key. */
export const sparkAddressOfKey = (key: Uint8Array): string => toSpark(field(SPARK_KEY_TAG, key))

export const sparkAddressOf = (bytes: Uint8Array): string => sparkAddressOfKey(publicKeyOf(bytes))

const INVOICE_TAG = 0x12
const VERSION_TAG = 0x08
const ID_TAG = 0x12
const ID_LENGTH = 16
const TOKENS_PAYMENT_TAG = 0x1a
const SATS_PAYMENT_TAG = 0x22

/**
 * An address, and the same with an invoice in its second field: version, id, and a request for any amount. Both have one
 * key, which takes longer to find than everything else here.
 */
export function sparkWalletOf(
  bytes: Uint8Array,
  { asset }: { asset: string },
): { address: string; invoice: string } {
  const key = publicKeyOf(bytes)
  const id = sha256(bytes).subarray(0, ID_LENGTH)
  const asked =
    asset === 'BTC' ? field(SATS_PAYMENT_TAG, []) : field(TOKENS_PAYMENT_TAG, tokenOf(asset))
  const invoice = [VERSION_TAG, 1, ...field(ID_TAG, id), ...asked]
  return {
    address: sparkAddressOfKey(key),
    invoice: toSpark([...field(SPARK_KEY_TAG, key), ...field(INVOICE_TAG, invoice)]),
  }
}

const TOKEN_TAG = 0x0a

const tokenOf = (asset: string): number[] =>
  field(TOKEN_TAG, sha256(utf8ToBytes(`florin sandbox/token/${asset}`)))

/** Every value here is shorter than 128 bytes, so its length is one byte. */
const field = (tag: number, value: ArrayLike<number>): number[] => [
  tag,
  value.length,
  ...Array.from(value),
]

const toSpark = (message: readonly number[]): string =>
  bech32m.encode('spark', bech32m.toWords(Uint8Array.from(message)), LENGTH_MAX)
