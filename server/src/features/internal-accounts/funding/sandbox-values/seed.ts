import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** 32 bytes for each label, determined by the owner and unrelated to those of other owners. */
export type Seed = (label: string) => Uint8Array

/**
 * Sandbox values are made from the owner's id. `attempt` is 0 unless another owner already has such a value.
 */
export function seedOf({ ownerId, attempt }: { ownerId: string; attempt: number }): Seed {
  return (label) => sha256(utf8ToBytes(`florin sandbox/${ownerId}/${attempt}/${label}`))
}

/** The bytes as a number in base `radix`, its last `length` digits. */
export function digitsIn(bytes: Uint8Array, { alphabet, length }: Digits): string {
  const radix = BigInt(alphabet.length)
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let index = 0; index < length; index += 1) {
    text += alphabet.charAt(parseInt((rest % radix).toString(), 10))
    rest /= radix
  }
  return text
}

type Digits = Readonly<{ alphabet: string; length: number }>

export const decimalDigits = (bytes: Uint8Array, length: number): string =>
  digitsIn(bytes, { alphabet: '0123456789', length })
