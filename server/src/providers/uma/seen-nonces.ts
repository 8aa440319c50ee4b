import type { NonceValidator } from '@uma-sdk/core'
import { MINUTE_MS, SECOND_MS, type Clock } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'

/** Every answer is signed freshly, so an old one is a copy. */
const AGE_MAX_MS = 10 * MINUTE_MS

/**
 * Refuses messages that were seen before, by this process, or are not of now.
 * Fails: INVALID_TIMESTAMP, INVALID_NONCE.
 */
export function createSeenNonces(clock: Clock): NonceValidator {
  const seen = new Map<string, number>()
  return {
    checkAndSaveNonce(nonce, timestampSeconds) {
      const nowMs = clock.now().getTime()
      const atMs = timestampSeconds * SECOND_MS
      if (Math.abs(nowMs - atMs) > AGE_MAX_MS) fail('INVALID_TIMESTAMP')
      for (const [old, oldMs] of seen) if (nowMs - oldMs > AGE_MAX_MS) seen.delete(old)
      if (seen.has(nonce)) fail('INVALID_NONCE')
      seen.set(nonce, atMs)
      return Promise.resolve(true)
    },
  }
}
