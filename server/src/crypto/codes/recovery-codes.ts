/** Recovery codes that go with an authenticator app (SCA-14, SCA-21): 60 random bits each. */
import { randomInt } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CODES = 10
const GROUPS = 3
const GROUP_LENGTH = 4
const RECOVERY_CODE = /^[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}$/

/** Ten, no two alike. They are shown once and kept only as digests (code-digest.ts). */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < CODES) codes.add(newRecoveryCode())
  return [...codes]
}

/** Tells a recovery code from an app's code, so that only one of them has to be looked for. */
export function isRecoveryCode(text: string): boolean {
  return RECOVERY_CODE.test(text)
}

function newRecoveryCode(): string {
  const group = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}
