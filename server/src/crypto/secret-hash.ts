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

export function digestSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Compares in constant time. */
export function secretMatches(secret: string, digest: Buffer): boolean {
  const given = digestSecret(secret)
  return given.length === digest.length && timingSafeEqual(given, digest)
}
