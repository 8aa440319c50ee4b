import { randomInt } from 'node:crypto'
import { digestSecret } from '../../../crypto/secret-hash.ts'
import { DAY_MS } from '../../../kernel/clock.ts'

/** Without the signs that are easily taken for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const GROUPS = 4
const GROUP_LENGTH = 4

export const DEVICE_CODE_LIFETIME_MS = DAY_MS

const newGroup = (): string =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** AGENT-11: 16 of 31 signs, 79 random bits. */
export const newDeviceCode = (): string =>
  ['AGENT', ...Array.from({ length: GROUPS }, newGroup)].join('-')

/** As it was given out; case does not matter. */
export const normaliseDeviceCode = (text: string): string => text.toUpperCase()

export const digestDeviceCode = (text: string): Buffer => digestSecret(normaliseDeviceCode(text))
