/**
 * The stamp of `Service-Wallet-Signature` (chapter 20, 3.7): base64url of JSON with a P-256 key and its DER signature
 * over the exact bytes of a payload. High and low S are both accepted: common signers do not normalise it.
 */
import { createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { decodeEitherBase64 } from '../encoding/base64url.ts'
import { isDerSignature } from '../encoding/der-signature.ts'
import { decodeHex } from '../encoding/hex.ts'
import { parseJsonObject } from '../encoding/json-object.ts'
import { parsePoint, pointBytes } from './keys/point.ts'
import type { Point } from './keys/point.ts'

export type Stamp = Readonly<{ publicKey: Point; signature: Buffer }>

const SCHEME = 'SIGNATURE_SCHEME_TK_API_P256'
/** Several times the length of a stamp; a longer text is not decoded. */
const STAMP_CHARS_MAX = 4_096

/** Undefined for a malformed stamp: `WALLET_SIGNATURE_MALFORMED` (SIGN-3). */
export function parseStamp(header: string): Stamp | undefined {
  if (header.length > STAMP_CHARS_MAX) return undefined
  const json = decodeEitherBase64(header)
  const content = json && parseJsonObject(json)
  if (content?.['scheme'] !== SCHEME) return undefined
  const { publicKey: keyHex, signature: signatureHex } = content
  if (typeof keyHex !== 'string' || typeof signatureHex !== 'string') return undefined
  const publicKey = parsePoint(keyHex)
  const signature = decodeHex(signatureHex)
  if (publicKey === undefined || signature === undefined) return undefined
  return isDerSignature(signature) ? { publicKey, signature } : undefined
}

/** Verifies over the stored text, byte for byte (SIGN-7); the caller decides whether the key may sign (SIGN-6). */
export function verifyStamp({ publicKey, signature }: Stamp, payloadToSign: string): boolean {
  return verify('sha256', Buffer.from(payloadToSign, 'utf8'), verifyingKey(publicKey), signature)
}

const SPKI_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')
const KEYS_MAX = 4_096
const keys = new Map<string, KeyObject>()

/**
 * Parsing a key costs half as much as verifying with it, and a session signs more than once. Only public keys are
 * cached, never their owner or their rights.
 */
function verifyingKey(point: Point): KeyObject {
  const known = keys.get(point.compressed)
  if (known !== undefined) return known
  const key = createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, pointBytes(point)]),
    format: 'der',
    type: 'spki',
  })
  const [oldest] = keys.size < KEYS_MAX ? [] : keys.keys()
  if (oldest !== undefined) keys.delete(oldest)
  keys.set(point.compressed, key)
  return key
}
