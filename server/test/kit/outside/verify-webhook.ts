import { verify } from 'node:crypto'

/** As a receiver does it: whether the header is the platform's signature over exactly these bytes (HOOK-21). */
export function verifyWebhook(
  publicKeyPem: string,
  header: string,
  body: Buffer | string,
): boolean {
  const { v, s } = JSON.parse(header) as { v: string; s: string }
  return v === '1' && verify('sha256', Buffer.from(body), publicKeyPem, Buffer.from(s, 'base64'))
}
