/**
 * Short codes that people type. A plain digest of so few digits could be reversed, so the stored digest is keyed
 * (CORE-90) and bound to the purpose of the code.
 */
import { randomInt, timingSafeEqual } from 'node:crypto'
import { blindIndex, blindIndexes } from '../blind-index.ts'
import type { Keyring } from '../keyring.ts'

const PURPOSE = 'one-time-code'

export function newNumericCode(digits: number): string {
  return Array.from({ length: digits }, () => randomInt(10)).join('')
}

const bound = (code: string, context: string): string => `${context} ${code}`

export function digestCode(keyring: Keyring, code: string, context: string): Buffer {
  return blindIndex(keyring, PURPOSE, bound(code, context))
}

/** Compares in constant time; a digest made before the key was rotated is still recognised. */
export function codeMatches(
  keyring: Keyring,
  code: string,
  { context, digest }: { context: string; digest: Buffer },
): boolean {
  return blindIndexes(keyring, PURPOSE, bound(code, context)).some((own) =>
    timingSafeEqual(own, digest),
  )
}
