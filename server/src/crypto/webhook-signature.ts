/**
 * The signature header of webhooks (HOOK-20): the JSON text `{"v":"1","s":"…"}`, where `s` is the
 * base64 of a DER-encoded ECDSA signature, curve P-256, hash SHA-256, over the body's exact bytes.
 */
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export type WebhookKeyPair = { privateKeyPem: string; publicKeyPem: string }

export function newWebhookKeyPair(): WebhookKeyPair {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return { privateKeyPem: pair.privateKey, publicKeyPem: pair.publicKey }
}

/** Reading a PEM costs more than signing: whoever signs much passes a key object and keeps it. */
export function signWebhook(privateKey: KeyObject | string, body: Buffer | string): string {
  return JSON.stringify({ v: '1', s: sign('sha256', toBytes(body), privateKey).toString('base64') })
}

/** False for any header that is not a valid signature of this body by this key (HOOK-21). */
export function verifyWebhook(
  publicKeyPem: string,
  header: string,
  body: Buffer | string,
): boolean {
  const signature = readSignature(header)
  return signature !== undefined && verify('sha256', toBytes(body), publicKeyPem, signature)
}

function readSignature(header: string): Buffer | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(header)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  if (!('v' in parsed) || parsed.v !== '1') return undefined
  if (!('s' in parsed) || typeof parsed.s !== 'string') return undefined
  const signature = Buffer.from(parsed.s, 'base64')
  // Decoding skips foreign characters; standard base64 with padding is the only spelling.
  return signature.toString('base64') === parsed.s ? signature : undefined
}

function toBytes(body: Buffer | string): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : body
}
