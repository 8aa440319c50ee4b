import { randomInt } from 'node:crypto'
import { digestSecret } from '../../../crypto/secret-hash.ts'
import { DAY_MS } from '../../../kernel/clock.ts'

/** Without characters that are easily confused. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const GROUPS = 4
const GROUP_LENGTH = 4

export const DEVICE_CODE_LIFETIME_MS = DAY_MS

const newGroup = (): string =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** 16 of 31 characters are 79 random bits (AGENT-11). */
export const newDeviceCode = (): string =>
  ['AGENT', ...Array.from({ length: GROUPS }, newGroup)].join('-')

/** The code as it was issued; case does not matter. */
export const normaliseDeviceCode = (text: string): string => text.toUpperCase()

export const digestDeviceCode = (text: string): Buffer => digestSecret(normaliseDeviceCode(text))
