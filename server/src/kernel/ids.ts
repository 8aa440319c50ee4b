/**
 * Ids. Inside the service an id is a bare lower-case uuid, branded with its kind so that the compiler tells a quote's id
 * from a customer's; on the wire it is `<Prefix>:<uuid>` (CORE-3). A malformed id is answered like an unknown one.
 */
import { randomFillSync } from 'node:crypto'
import { systemClock } from './clock.ts'
import { fail } from './errors.ts'
import type { ErrorCode } from './errors.ts'
import { invariant } from './invariant.ts'

type IdKindEntry = Readonly<{ prefix: string; notFound: ErrorCode }>

export const ID_KINDS = Object.freeze({
  platform: { prefix: 'Platform', notFound: 'REFERENCE_NOT_FOUND' },
  platformConfig: { prefix: 'PlatformConfig', notFound: 'REFERENCE_NOT_FOUND' },
  token: { prefix: 'Token', notFound: 'TOKEN_NOT_FOUND' },
  customer: { prefix: 'Customer', notFound: 'USER_NOT_FOUND' },
  beneficialOwner: { prefix: 'BeneficialOwner', notFound: 'REFERENCE_NOT_FOUND' },
  document: { prefix: 'Document', notFound: 'REFERENCE_NOT_FOUND' },
  verification: { prefix: 'Verification', notFound: 'REFERENCE_NOT_FOUND' },
  job: { prefix: 'Job', notFound: 'BULK_UPLOAD_JOB_NOT_FOUND' },
  internalAccount: { prefix: 'InternalAccount', notFound: 'REFERENCE_NOT_FOUND' },
  externalAccount: { prefix: 'ExternalAccount', notFound: 'REFERENCE_NOT_FOUND' },
  lookup: { prefix: 'Lookup', notFound: 'LOOKUP_REQUEST_NOT_FOUND' },
  quote: { prefix: 'Quote', notFound: 'QUOTE_NOT_FOUND' },
  transaction: { prefix: 'Transaction', notFound: 'TRANSACTION_NOT_FOUND' },
  authMethod: { prefix: 'AuthMethod', notFound: 'REFERENCE_NOT_FOUND' },
  session: { prefix: 'Session', notFound: 'REFERENCE_NOT_FOUND' },
  request: { prefix: 'Request', notFound: 'REFERENCE_NOT_FOUND' },
  delegatedKey: { prefix: 'DelegatedKey', notFound: 'REFERENCE_NOT_FOUND' },
  scaChallenge: { prefix: 'ScaChallenge', notFound: 'REFERENCE_NOT_FOUND' },
  scaReset: { prefix: 'ScaReset', notFound: 'REFERENCE_NOT_FOUND' },
  card: { prefix: 'Card', notFound: 'REFERENCE_NOT_FOUND' },
  cardFundingSource: { prefix: 'CardFundingSource', notFound: 'REFERENCE_NOT_FOUND' },
  cardTransaction: { prefix: 'CardTransaction', notFound: 'TRANSACTION_NOT_FOUND' },
  agent: { prefix: 'Agent', notFound: 'REFERENCE_NOT_FOUND' },
  agentAction: { prefix: 'AgentAction', notFound: 'REFERENCE_NOT_FOUND' },
  stablecoinProviderAccount: {
    prefix: 'StablecoinProviderAccount',
    notFound: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
  },
  stablecoin: { prefix: 'Stablecoin', notFound: 'REFERENCE_NOT_FOUND' },
  stablecoinOperation: { prefix: 'StablecoinOperation', notFound: 'REFERENCE_NOT_FOUND' },
  webhook: { prefix: 'Webhook', notFound: 'REFERENCE_NOT_FOUND' },
  provider: { prefix: 'Provider', notFound: 'REFERENCE_NOT_FOUND' },
  order: { prefix: 'Order', notFound: 'REFERENCE_NOT_FOUND' },
  exception: { prefix: 'Exception', notFound: 'REFERENCE_NOT_FOUND' },
  operator: { prefix: 'Operator', notFound: 'REFERENCE_NOT_FOUND' },
  operatorToken: { prefix: 'OperatorToken', notFound: 'REFERENCE_NOT_FOUND' },
  proposal: { prefix: 'Proposal', notFound: 'REFERENCE_NOT_FOUND' },
} as const satisfies Record<string, IdKindEntry>)

export type IdKind = keyof typeof ID_KINDS

export type Id<K extends IdKind> = string & { readonly __kind: K }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Accepts the canonical lower-case form only. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

export function newId<K extends IdKind>(_kind: K): Id<K> {
  return newUuid() as Id<K>
}

export function formatId<K extends IdKind>(kind: K, id: Id<K>): string {
  return `${ID_KINDS[kind].prefix}:${id}`
}

export function parseId<K extends IdKind>(kind: K, text: string): Id<K> | undefined {
  const prefix = `${ID_KINDS[kind].prefix}:`
  if (!text.startsWith(prefix)) return undefined
  const uuid = text.slice(prefix.length)
  return isUuid(uuid) ? (uuid as Id<K>) : undefined
}

/** Fails with the kind's not-found code (CORE-3). */
export function mustParseId<K extends IdKind>(kind: K, text: string): Id<K> {
  return parseId(kind, text) ?? failNotFound(kind, text)
}

/**
 * Fails with the 404 of a kind, the same for malformed ids, unknown ids, and ids of another type or platform. `sent` is
 * the id in the request, where a request may have several of the kind (ERR-20).
 */
export function failNotFound(kind: IdKind, sent?: string): never {
  const { prefix: resource, notFound } = ID_KINDS[kind]
  const isShown = sent !== undefined && SHOWN.test(sent)
  return fail(notFound, isShown ? { resource, id: sent } : { resource })
}

/** Only a printable id is repeated in the answer. */
const SHOWN = /^[\x20-\x7e]{0,255}$/

/** Brands a uuid that is known to be of this kind, such as a client id's or a job payload's. */
export function asId<K extends IdKind>(kind: K, uuid: string): Id<K> {
  invariant(isUuid(uuid), `A ${kind} id must be a lower-case uuid.`)
  return uuid as Id<K>
}

export type AnyId = { [K in IdKind]: Readonly<{ kind: K; id: Id<K> }> }[IdKind]

const KIND_BY_PREFIX = new Map<string, IdKind>(
  (Object.keys(ID_KINDS) as IdKind[]).map((kind) => [ID_KINDS[kind].prefix, kind]),
)

/** For the fields that take ids of several kinds. */
export function parseAnyId(text: string): AnyId | undefined {
  const kind = KIND_BY_PREFIX.get(text.slice(0, Math.max(0, text.indexOf(':'))))
  const id = kind && parseId(kind, text)
  return kind && id ? ({ kind, id } as AnyId) : undefined
}

/** A lower bound of all ids that are created from that time on. */
export const firstUuidAt = (at: Date): string => `${timeText(at.getTime())}-7000-8000-000000000000`

/** The first 48 bits of a uuid in its text form. */
function timeText(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

const RANDOM_BYTES_PER_UUID = 10
const randomPool = Buffer.alloc(RANDOM_BYTES_PER_UUID * 256)
/** The same bytes as text, because cutting a text is cheaper than formatting bytes for each id. */
let randomHex = ''
let randomPoolOffset = randomPool.length

/** One system call serves 256 ids; bytes are handed out once. Returns where those of the next id begin. */
function takeRandom(): number {
  if (randomPoolOffset === randomPool.length) {
    randomFillSync(randomPool)
    randomHex = randomPool.toString('hex')
    randomPoolOffset = 0
  }
  const start = randomPoolOffset
  randomPoolOffset += RANDOM_BYTES_PER_UUID
  return start
}

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hexOf = (byte: number): string => HEX_OF_BYTE[byte] as string

const COUNTER_MAX = 0xfff
let lastMs = 0
let lastTime = timeText(lastMs)
let counter = 0

/**
 * A uuid of version 7 (RFC 9562, 6.2 method 1): 48 bits of milliseconds, 12 bits of counter, 62 of randomness. Within a
 * process each is greater than the one before, also when the machine's clock steps back. When the counter of a
 * millisecond is used up, the next millisecond is used.
 */
export function newUuid(): string {
  const random = takeRandom()
  const nowMs = systemClock.now().getTime()
  if (nowMs > lastMs) {
    // The top bit stays clear to leave room for counting.
    startCounting(nowMs, randomPool.readUInt16BE(random + 8) & 0x7ff)
  } else if (counter < COUNTER_MAX) {
    counter += 1
  } else {
    startCounting(lastMs + 1, 0)
  }
  const version = hexOf(0x70 | (counter >> 8)) + hexOf(counter & 0xff)
  const variant = hexOf(0x80 | (randomPool.readUInt8(random) & 0x3f))
  const text = 2 * random
  return `${lastTime}-${version}-${variant}${randomHex.slice(text + 2, text + 4)}-${randomHex.slice(text + 4, text + 16)}`
}

function startCounting(ms: number, from: number): void {
  lastMs = ms
  lastTime = timeText(ms)
  counter = from
}
