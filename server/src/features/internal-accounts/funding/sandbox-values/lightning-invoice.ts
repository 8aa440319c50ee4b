import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'

const PREFIX = 'lnbc'
const WORD_BITS = 5n
const WORD_MASK = 31n
const TIMESTAMP_WORDS = 7
const LENGTH_WORDS = 2
/** A hundred years, because an account's instructions never change. */
const EXPIRY_SECONDS = 3_155_760_000n
const FINAL_EXPIRY_BLOCKS = 80n
/** Bits 8 and 14: the payer must know how to carry a payment secret. */
const FEATURES = 0b100_0001_0000_0000n
const TAG = { paymentHash: 1, secret: 16, description: 13, expiry: 6, finalExpiry: 24, features: 5 }

function wordsOf(value: bigint, length?: number): number[] {
  const words: number[] = []
  for (let rest = value; rest > 0n || words.length < (length ?? 1); rest >>= WORD_BITS) {
    words.unshift(parseInt((rest & WORD_MASK).toString(), 10))
  }
  return words
}

const tagged = (tag: number, words: readonly number[]): number[] => [
  tag,
  ...wordsOf(BigInt(words.length), LENGTH_WORDS),
  ...words,
]

const taggedBytes = (tag: number, bytes: Uint8Array): number[] => tagged(tag, bech32.toWords(bytes))

/** The signature covers the words as whole bytes, the last one filled up with zero bits. */
function toBytes(words: readonly number[]): Uint8Array {
  const bits = words.map((word) => word.toString(2).padStart(5, '0')).join('')
  const padded = bits.padEnd(bits.length + ((8 - (bits.length % 8)) % 8), '0')
  return Uint8Array.from(padded.match(/.{8}/g) ?? [], (byte) => parseInt(byte, 2))
}

/** A BOLT 11 invoice without an amount, which the payer chooses, signed by a node that does not exist. */
export function lightningInvoiceOf(bytes: Uint8Array, { createdAt }: { createdAt: Date }): string {
  const seconds = BigInt(createdAt.getTime()) / 1000n
  const words = [
    ...wordsOf(seconds, TIMESTAMP_WORDS),
    ...taggedBytes(TAG.paymentHash, sha256(bytes)),
    ...taggedBytes(TAG.secret, sha256(sha256(bytes))),
    ...taggedBytes(TAG.description, utf8ToBytes('Florin sandbox')),
    ...tagged(TAG.expiry, wordsOf(EXPIRY_SECONDS)),
    ...tagged(TAG.finalExpiry, wordsOf(FINAL_EXPIRY_BLOCKS)),
    ...tagged(TAG.features, wordsOf(FEATURES)),
  ]
  const digest = sha256(Uint8Array.of(...utf8ToBytes(PREFIX), ...toBytes(words)))
  const [recovery = 0, ...signature] = secp256k1.sign(digest, bytes, {
    prehash: false,
    format: 'recovered',
  })
  const signed = bech32.toWords(Uint8Array.of(...signature, recovery))
  return bech32.encode(PREFIX, [...words, ...signed], false)
}
