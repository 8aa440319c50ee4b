import { randomBytes } from 'node:crypto'

const LENGTH = 20
/** 32 characters, so that a random byte chooses each with the same probability. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 100 random bits, in an alphabet without similar characters (INV-4). */
export const newInvitationCode = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** No other text is looked up as a code. */
export const isInvitationCode = (text: string): boolean => /^[a-z0-9]{16,64}$/.test(text)
