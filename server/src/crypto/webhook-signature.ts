/**
 * The signature header of webhooks (HOOK-20): the JSON text `{"v":"1","s":"…"}`, where `s` is the
 * base64 of a DER-encoded ECDSA signature, curve P-256, hash SHA-256, over the body's exact bytes.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
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

/** Parsing a PEM costs more than signing, so a caller that signs often passes a key object. */
export function signWebhook(privateKey: KeyObject | string, body: Buffer | string): string {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body
  return JSON.stringify({ v: '1', s: sign('sha256', bytes, privateKey).toString('base64') })
}
