/** Recovery codes that go with an authenticator app (SCA-14, SCA-21): 60 random bits each. */
import { randomInt } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CODES = 10
const GROUPS = 3
const GROUP_LENGTH = 4
const RECOVERY_CODE = /^[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}$/

/** Ten different codes, shown once and stored only as digests. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < CODES) codes.add(newRecoveryCode())
  return [...codes]
}

/** Distinguishes a recovery code from an app's code by its form. */
export function isRecoveryCode(text: string): boolean {
  return RECOVERY_CODE.test(text)
}

function newRecoveryCode(): string {
  const group = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}
