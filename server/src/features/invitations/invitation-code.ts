import { randomBytes } from 'node:crypto'

const LENGTH = 20
/** 32 signs, so that a byte's low five bits choose one without favour. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

/** INV-4: 100 random bits; without the signs that are easily taken for one another. */
export const newInvitationCode = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** Anything else is the code of no invitation. */
export const isInvitationCode = (text: string): boolean => /^[a-z0-9]{16,64}$/.test(text)
