/**
 * Secrets that the service hands out once and afterwards only recognises (CORE-20, TOK-3). They
 * hold 256 random bits, so a plain SHA-256 suffices: a slow hash protects only secrets that can be
 * guessed.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export const digestSecret = (secret: string): Buffer => sha256(secret)

/** One call with a text as its result takes half the time of a Hash object, or of a Buffer that the call makes. */
export function sha256(content: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', content, 'binary'), 'binary')
}

/** Compares in constant time. */
export function secretMatches(secret: string, digest: Buffer): boolean {
  const given = digestSecret(secret)
  return given.length === digest.length && timingSafeEqual(given, digest)
}
