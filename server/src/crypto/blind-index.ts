/**
 * Blind indexes (CORE-90): a keyed HMAC-SHA256 stored beside a sealed value, by which equal values
 * are found without opening any. The caller normalises the text first (case, blanks, punctuation).
 */
import { createHmac } from 'node:crypto'
import type { Keyring } from './keyring.ts'
import { invariant } from '../kernel/invariant.ts'

/** The index to store, under the newest key. Renew it whenever the value is sealed again. */
export function blindIndex(keyring: Keyring, purpose: string, text: string): Buffer {
  return indexUnder(keyring, keyring.newestKeyId, { purpose, text })
}

/** The indexes to look for, newest key first: rows may still carry one made with an older key. */
export function blindIndexes(keyring: Keyring, purpose: string, text: string): Buffer[] {
  return keyring.keyIds.map((keyId) => indexUnder(keyring, keyId, { purpose, text }))
}

function indexUnder(
  keyring: Keyring,
  keyId: string,
  indexed: { purpose: string; text: string },
): Buffer {
  const key = keyring.findKey({ keyId, label: `blind-index:${indexed.purpose}` })
  invariant(key !== undefined, 'a keyring finds the keys that it lists')
  return createHmac('sha256', key).update(indexed.text, 'utf8').digest()
}
