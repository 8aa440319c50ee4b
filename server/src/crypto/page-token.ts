/**
 * Cursors of lists (CORE-50): the place of the last row, signed, so that a tampered cursor or one
 * of another list, platform or filter is recognised. They are signed, not encrypted: put nothing
 * in them that the caller has not seen.
 *
 * A token is base64url of 16 bytes of HMAC-SHA256 followed by the place as JSON.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { invariant } from '../kernel/invariant.ts'
import type { Keyring } from './keyring.ts'

const MAC_BYTES = 16
const TOKEN_CHARS_MAX = 4096

/** `scope` names the list with all that defines it: operation, platform, filters, order. */
export function signCursor(keyring: Keyring, scope: string, values: unknown): string {
  const payload = Buffer.from(JSON.stringify(values, tagBigint), 'utf8')
  return Buffer.concat([mac(keyring, keyring.newestKeyId, { scope, payload }), payload]).toString(
    'base64url',
  )
}

/** The place that was signed for this scope; undefined for any other text. */
export function openCursor(keyring: Keyring, scope: string, token: string): unknown {
  if (token.length > TOKEN_CHARS_MAX) return undefined
  const bytes = Buffer.from(token, 'base64url')
  // Decoding skips foreign characters, so only the canonical text of a token is accepted.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined
  const given = bytes.subarray(0, MAC_BYTES)
  const payload = bytes.subarray(MAC_BYTES)
  const isOurs = keyring.keyIds.some((keyId) =>
    timingSafeEqual(mac(keyring, keyId, { scope, payload }), given),
  )
  return isOurs ? JSON.parse(payload.toString('utf8'), untagBigint) : undefined
}

function mac(keyring: Keyring, keyId: string, signed: { scope: string; payload: Buffer }): Buffer {
  const key = keyring.findKey({ keyId, label: 'page-token' })
  invariant(key !== undefined, 'a keyring finds the keys that it lists')
  const scope = Buffer.from(signed.scope, 'utf8')
  const scopeLength = Buffer.alloc(4)
  scopeLength.writeUInt32BE(scope.length)
  const digest = createHmac('sha256', key)
    .update(scopeLength)
    .update(scope)
    .update(signed.payload)
    .digest()
  return digest.subarray(0, MAC_BYTES)
}

/** JSON has no bigint: it travels as tagged text. An instant comes back as its wire time. */
function tagBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $bigint: value.toString() } : value
}

function untagBigint(_key: string, value: unknown): unknown {
  const isTagged = typeof value === 'object' && value !== null && '$bigint' in value
  return isTagged && typeof value.$bigint === 'string' ? BigInt(value.$bigint) : value
}
