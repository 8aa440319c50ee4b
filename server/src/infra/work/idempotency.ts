import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { DAY_MS, addMs } from '../../kernel/clock.ts'
import { fail, type ErrorCode } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../db/statement/given.ts'
import { sql, type Sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { Reply } from '../http/reply.ts'

/** One request under an Idempotency-Key. `scope` separates whose keys these are: the platform's, or an agent's. */
export type KeyedRequest = Readonly<{
  platformId: Id<'platform'>
  scope: string
  key: string
  /** Digest of method, path, query and body. */
  fingerprint: Buffer
}>

/** 1 to 255 printable ASCII characters (CORE-40). */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

export const IDEMPOTENCY_KEY_LIFETIME_MS = DAY_MS

/** A key from then on or before is free again. */
export const oldestLiveKey = (now: Date): Date => addMs(now, -IDEMPOTENCY_KEY_LIFETIME_MS)

const SEAL_PURPOSE = 'idempotent-reply'

export type StoredRow = KeyedRequest &
  Readonly<{
    status: number
    headers: Record<string, string>
    body: Buffer | null
    sealed: boolean
    createdAt: Date
  }>

export const lockName = ({ platformId, scope, key }: KeyedRequest): string =>
  `idempotency ${platformId} ${scope} ${key}`

const contextOf = ({ platformId, scope, key }: KeyedRequest): string =>
  `${platformId}/${scope}/${key}`

type Looking = Readonly<{ now: Date; keyring: Keyring }>

/**
 * Takes the key for this transaction and answers what is stored under it, if anything. The lock and the look-up
 * travel together; the look-up sees whatever the former holder of the lock committed.
 * Fails: IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED.
 */
export const claimKey = (
  tx: Tx,
  request: KeyedRequest,
  options: Looking,
): Promise<Reply | undefined> =>
  lockKey(tx, sql`pg_try_advisory_xact_lock`, { request, ...options })

/**
 * Keeps the key from being taken during this transaction, beside others that do the same, and answers what is stored
 * under it: for a step that precedes the one that takes it. Fails: as claimKey.
 */
export const shareKey = (
  tx: Tx,
  request: KeyedRequest,
  options: Looking,
): Promise<Reply | undefined> =>
  lockKey(tx, sql`pg_try_advisory_xact_lock_shared`, { request, ...options })

async function lockKey(
  tx: Tx,
  lock: Sql,
  looking: Looking & Readonly<{ request: KeyedRequest }>,
): Promise<Reply | undefined> {
  const { request } = looking
  const [{ taken }, row] = await Promise.all([
    tx.one<{ taken: boolean }>(
      sql`select ${lock}(hashtextextended(${lockName(request)}, 0)) as taken`,
    ),
    findStored(tx, request),
  ])
  return decideStored({ ...looking, taken, row })
}

/** What is stored under the key by now, without taking it. Fails: IDEMPOTENCY_KEY_REUSED. */
export async function peekKey(
  tx: Tx,
  request: KeyedRequest,
  options: Looking,
): Promise<Reply | undefined> {
  return decideStored({ taken: true, row: await findStored(tx, request), request, ...options })
}

/** Waits until nobody else has the key, and keeps it: for a person, who cannot repeat the request in a moment. */
export const waitForKey = (tx: Tx, request: KeyedRequest): Promise<unknown> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${lockName(request)}, 0))`)

const findStored = (
  tx: Tx,
  { platformId, scope, key }: KeyedRequest,
): Promise<StoredRow | undefined> =>
  tx.find<StoredRow>(
    sql`select platform_id, scope, key, fingerprint, status, headers, body, sealed, created_at
        from idempotency_keys
        where platform_id = ${platformId} and scope = ${scope} and key = ${key}`,
  )

export type Claimed = Readonly<{
  taken: boolean
  row: StoredRow | undefined
  request: KeyedRequest
  now: Date
  keyring: Keyring
}>

/** The stored answer, or undefined when the request is the first with its key. */
export function decideStored({ taken, row, request, now, keyring }: Claimed): Reply | undefined {
  if (!taken) return fail('IDEMPOTENCY_KEY_IN_USE')
  if (!row || addMs(row.createdAt, IDEMPOTENCY_KEY_LIFETIME_MS) <= now) return undefined
  if (!row.fingerprint.equals(request.fingerprint)) return fail('IDEMPOTENCY_KEY_REUSED')
  const headers = { ...row.headers, 'Idempotent-Replayed': 'true' }
  if (row.body === null) return { status: row.status, headers }
  const bytes = row.sealed ? unseal(keyring, SEAL_PURPOSE, row.body, contextOf(request)) : row.body
  return { status: row.status, headers, body: JSON.parse(bytes.toString('utf8')) as unknown }
}

export type StoredReply = Readonly<{
  request: KeyedRequest
  reply: Reply
  now: Date
  /** The answer holds a link or code: it is encrypted at rest. */
  isSecret?: boolean | undefined
}>

type SealedReply = Omit<StoredReply, 'isSecret'> &
  Readonly<{ body: Buffer | null; sealed: boolean }>

function sealReply(keyring: Keyring, { isSecret = false, ...stored }: StoredReply): SealedReply {
  const { request, reply } = stored
  const sealed = isSecret || keyring.sealsContactData
  if (reply.body === undefined) return { ...stored, body: null, sealed }
  const text = JSON.stringify(reply.body)
  const body = sealed ? seal(keyring, SEAL_PURPOSE, text, contextOf(request)) : Buffer.from(text)
  return { ...stored, body, sealed }
}

const STORED: Columns<SealedReply> = {
  platform_id: ['uuid', ({ request }) => request.platformId],
  scope: ['text', ({ request }) => request.scope],
  key: ['text', ({ request }) => request.key],
  fingerprint: ['bytea', ({ request }) => request.fingerprint],
  status: ['smallint', ({ reply }) => reply.status],
  headers: ['jsonb', ({ reply }) => sql.json(reply.headers ?? {})],
  body: ['bytea', ({ body }) => body],
  sealed: ['boolean', ({ sealed }) => sealed],
  created_at: ['timestamptz', ({ now }) => now],
}

const insertReplies = (stored: readonly SealedReply[]): Sql =>
  sql`
    insert into idempotency_keys
      (platform_id, scope, key, fingerprint, status, headers, body, sealed, created_at)
    select * from ${given('s', STORED, stored)}
    on conflict (platform_id, scope, key) do update set
      fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
      body = excluded.body, sealed = excluded.sealed, created_at = excluded.created_at`

/** Stores answers in the transaction of their effects. A key whose 24 hours are over can be used again. */
export const storeReplies = (tx: Tx, stored: readonly StoredReply[]): void =>
  tx.trail(insertReplies(stored.map((one) => sealReply(tx.keyring, one))))

/** The key is free again: what was to be done under it failed after all. */
export const forgetReply = ({ platformId, scope, key }: KeyedRequest): Sql =>
  sql`delete from idempotency_keys
      where platform_id = ${platformId} and scope = ${scope} and key = ${key}`

/** States the predicate of the index for pruning; every key is so. */
const ANY_AGE = sql`created_at > '-infinity'`

/** Removes keys whose lifetime is over, a bounded number at a time. */
export function pruneKeys(tx: Tx, platformId: Id<'platform'>, now: Date): Promise<number> {
  const before = oldestLiveKey(now)
  return tx.run(
    sql`delete from idempotency_keys k using (
          select scope, key from idempotency_keys
          where platform_id = ${platformId} and ${ANY_AGE} and created_at <= ${before}
          order by created_at limit 5000) old
        where k.platform_id = ${platformId} and k.scope = old.scope and k.key = old.key
          and k.created_at <= ${before}`,
  )
}

/** When the oldest key of a platform was made. */
export async function findOldestKey(tx: Tx, platformId: Id<'platform'>): Promise<Date | undefined> {
  const row = await tx.maybe<{ createdAt: Date }>(
    sql`select created_at from idempotency_keys where platform_id = ${platformId} and ${ANY_AGE}
        order by created_at limit 1`,
  )
  return row?.createdAt
}

const NEVER_STORED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'QUOTE_REQUEST_FAILED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_REUSED',
])

/** Answers that the caller may simply retry are not stored (CORE-41). */
export function isStorable(answer: { status: number; code?: ErrorCode | undefined }): boolean {
  if (answer.status >= 500 || answer.status === 429 || answer.status === 424) return false
  return answer.code === undefined || !NEVER_STORED.has(answer.code)
}
