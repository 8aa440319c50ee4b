/**
 * The signature of the provider protocol, the same in both directions: Standard Webhooks, version 1 (PROV-20, PROV-21).
 * A secret is `whsec_` and the base64 of its 32 bytes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const VERSION = 'v1,'
/** How far a timestamp may be from real time, in either direction (PROV-22). */
const TOLERANCE_SECONDS = 300

type Signed = Readonly<{ id: string; timestampSeconds: number; body: string | Buffer }>

function signatureBy(secret: string, { id, timestampSeconds, body }: Signed): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body)
  return `${VERSION}${hmac.digest('base64')}`
}

/** One signature for each secret, in the order of the secrets, separated by blanks. */
export const signMessage = ({
  secrets,
  ...message
}: Signed & Readonly<{ secrets: readonly string[] }>): string =>
  secrets.map((secret) => signatureBy(secret, message)).join(' ')

type Received = Readonly<{
  secrets: readonly string[]
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: string | Buffer
  nowSeconds: number
}>

/** Whether one of the signatures is by one of the secrets, and the timestamp is near (PROV-21, PROV-22). */
export function verifyMessage({ secrets, headers, body, nowSeconds }: Received): boolean {
  const [id, timestamp, signatures] = [
    headers['webhook-id'],
    headers['webhook-timestamp'],
    headers['webhook-signature'],
  ]
  if (typeof id !== 'string' || !/^[\x20-\x7e]{1,128}$/.test(id)) return false
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  if (typeof signatures !== 'string') return false
  const timestampSeconds = Number(timestamp)
  if (Math.abs(nowSeconds - timestampSeconds) > TOLERANCE_SECONDS) return false
  const valid = secrets.map((secret) => signatureBy(secret, { id, timestampSeconds, body }))
  return signatures.split(' ').some((given) => valid.some((one) => isEqual(given, one)))
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
