<<<<<<< HEAD
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
=======
/** Signatures of the provider protocol, the same in both directions: the public Standard Webhooks convention. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '../../kernel/clock.ts'

export const PROTOCOL_VERSION = '1'
export const VERSION_HEADER = 'provider-protocol-version'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32
const TOLERANCE_MS = 300 * SECOND_MS
const MESSAGE_ID = /^[\x20-\x7e]{1,128}$/
const TIMESTAMP = /^\d{1,12}$/

export const newSecret = (): string =>
  `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

export type Message = Readonly<{
  id: string
  /** In real time, also for sandbox platforms (PROV-22). */
  at: Date
  /** The bytes as they are sent; empty for GET. */
  body: Buffer | string
}>

const signatureOf = (
  secret: string,
  signed: Readonly<Record<'id' | 'timestamp', string>>,
  body: Message['body'],
): Buffer =>
  createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .update(`${signed.id}.${signed.timestamp}.`)
    .update(body)
    .digest()

/** The headers of a call, with a signature of each secret, in their order (PROV-20, PROV-21). */
export function signMessage(
  { id, at, body }: Message,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / SECOND_MS))
  const signatures = secrets.map(
    (secret) => `v1,${signatureOf(secret, { id, timestamp }, body).toString('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    [VERSION_HEADER]: PROTOCOL_VERSION,
    ...(body.length > 0 && { 'content-type': 'application/json' }),
  }
}

export type ReceivedMessage = Readonly<{
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: Buffer
}>

const textOf = ({ headers }: ReceivedMessage, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/**
 * The message's id where one of its signatures is of one of the secrets and its time is within the tolerance of `now`;
 * undefined otherwise, whatever the reason (PROV-22).
 */
export function verifyMessage(
  message: ReceivedMessage,
  { secrets, now }: Readonly<{ secrets: readonly string[]; now: Date }>,
): string | undefined {
  const [id, timestamp] = [textOf(message, 'webhook-id'), textOf(message, 'webhook-timestamp')]
  if (!MESSAGE_ID.test(id) || !TIMESTAMP.test(timestamp)) return undefined
  if (Math.abs(Number(timestamp) * SECOND_MS - now.getTime()) > TOLERANCE_MS) return undefined
  const given = textOf(message, 'webhook-signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3), 'base64')] : []))
  const isSigned = secrets.some((secret) => {
    const expected = signatureOf(secret, { id, timestamp }, message.body)
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
  })
  return isSigned ? id : undefined
>>>>>>> 82c1d37 (providers: sign, verify and send messages of the provider protocol)
}
