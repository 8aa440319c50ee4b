/** The DER form of an ECDSA P-256 signature: two positive integers of at most 32 bytes, written the shortest way. */

const SEQUENCE = 0x30
const INTEGER = 0x02
const HIGH_BIT = 0x80
const BYTES_MAX = 72
/** 32 bytes, and one zero before them when the first would read as a minus sign. */
const INTEGER_BYTES_MAX = 33

/** Checks the form only, not the signature (SIGN-3, SIGN-7). */
export function isDerSignature(bytes: Buffer): boolean {
  if (bytes.length > BYTES_MAX || bytes[0] !== SEQUENCE || bytes[1] !== bytes.length - 2) {
    return false
  }
  const sAt = integerEnd(bytes, 2)
  return sAt !== undefined && integerEnd(bytes, sAt) === bytes.length
}

/** Where the integer that begins at `at` ends; undefined when none does. */
function integerEnd(bytes: Buffer, at: number): number | undefined {
  const [tag, length] = bytes.subarray(at, at + 2)
  if (tag !== INTEGER || length === undefined || length > INTEGER_BYTES_MAX) return undefined
  const value = bytes.subarray(at + 2, at + 2 + length)
  const [first, second] = value
  if (first === undefined || value.length !== length || first >= HIGH_BIT) return undefined
  const hasNeedlessZero = first === 0 && second !== undefined && second < HIGH_BIT
  const isTooLarge = length === INTEGER_BYTES_MAX && first !== 0
  return hasNeedlessZero || isTooLarge ? undefined : at + 2 + length
}
