/** Signatures of the provider protocol, the same in both directions: the public Standard Webhooks convention. */
import {
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
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

const KEYS_MAX = 1_000
const keys = new Map<string, KeyObject>()

/** Kept, since making a key takes longer than signing with it. */
function keyOf(secret: string): KeyObject {
  const known = keys.get(secret)
  if (known) return known
  const key = createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
  if (keys.size >= KEYS_MAX) keys.clear()
  keys.set(secret, key)
  return key
}

const signatureOf = (
  secret: string,
  signed: Readonly<Record<'id' | 'timestamp', string>>,
  body: Message['body'],
): Buffer =>
  createHmac('sha256', keyOf(secret))
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
}
