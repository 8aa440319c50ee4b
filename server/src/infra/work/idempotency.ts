import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { DAY_MS, addMs } from '../../kernel/clock.ts'
import { fail, type ErrorCode } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../db/statement/given.ts'
import { sql, type Sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { Reply } from '../http/reply.ts'
import { ownValue } from './own-value.ts'

/** A request with an Idempotency-Key. `scope` separates the keys of the platform from those of its agents. */
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

/** Keys of this time or earlier are free again. */
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

type LookUpOptions = Readonly<{ now: Date; keyring: Keyring }>

/**
 * Locks the key for this transaction and returns the answer stored under it, if any. The lock and the look-up are sent
 * together; the look-up sees everything that the former holder of the lock committed.
 * Fails: IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED.
 */
export const claimKey = (
  tx: Tx,
  request: KeyedRequest,
  options: LookUpOptions,
): Promise<Reply | undefined> =>
  lockKey(tx, sql`pg_try_advisory_xact_lock`, { request, ...options })

/**
 * Locks the key in shared mode and returns the answer stored under it: for a step that precedes the one that claims the
 * key. Fails: as claimKey.
 */
export const lockKeyForShare = (
  tx: Tx,
  request: KeyedRequest,
  options: LookUpOptions,
): Promise<Reply | undefined> =>
  lockKey(tx, sql`pg_try_advisory_xact_lock_shared`, { request, ...options })

async function lockKey(
  tx: Tx,
  lock: Sql,
  options: LookUpOptions & Readonly<{ request: KeyedRequest }>,
): Promise<Reply | undefined> {
  const { request } = options
  const [{ taken }, row] = await Promise.all([
    tx.one<{ taken: boolean }>(
      sql`select ${lock}(hashtextextended(${lockName(request)}, 0)) as taken`,
    ),
    findStored(tx, request),
  ])
  return decideStored({ ...options, taken, row })
}

/** Returns the answer stored under the key without a lock. Fails: IDEMPOTENCY_KEY_REUSED. */
export async function peekKey(
  tx: Tx,
  request: KeyedRequest,
  options: LookUpOptions,
): Promise<Reply | undefined> {
  return decideStored({ taken: true, row: await findStored(tx, request), request, ...options })
}

/** Waits for the lock of the key instead of refusing: for a person, who cannot simply repeat the request. */
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

/** The stored answer; undefined for the first request with its key. Fails: as claimKey. */
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
  /** The answer has a link or code, so it is sealed. */
  isSecret?: boolean | undefined
}>

type SealedReply = Omit<StoredReply, 'isSecret'> &
  Readonly<{ body: Buffer | null; sealed: boolean }>

function sealReply(keyring: Keyring, { isSecret = false, ...stored }: StoredReply): SealedReply {
  const { request, reply } = stored
  const sealed = isSecret || keyring.sealsContactData
  if (reply.body === undefined) return { ...stored, body: null, sealed }
  const bytes = Buffer.from(JSON.stringify(reply.body))
  storedBodies.set(reply, { body: reply.body, bytes })
  const body = sealed ? seal(keyring, SEAL_PURPOSE, bytes, contextOf(request)) : bytes
  return { ...stored, body, sealed }
}

const storedBodies = ownValue<Reply, Readonly<{ body: unknown; bytes: Buffer }>>('stored body')

/** The body of an answer that was stored, as JSON; undefined where it was not, or has another body since. */
export function storedBytesOf(reply: Reply): Buffer | undefined {
  const stored = storedBodies.get(reply)
  return stored?.body === reply.body ? stored?.bytes : undefined
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
  sql`insert into idempotency_keys (platform_id, scope, key, fingerprint, status, headers, body, sealed, created_at)
      select * from ${given('s', STORED, stored)}`

const replaceReplies = (stored: readonly SealedReply[]): Sql =>
  sql`${insertReplies(stored)}
      on conflict (platform_id, scope, key) do update set
        fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
        body = excluded.body, sealed = excluded.sealed, created_at = excluded.created_at`

/**
 * Stores answers in the transaction of their effects, also over answers whose 24 hours are past. With `areNew` the caller
 * holds the locks of keys under which it has found nothing, and looking again for each would cost a third of its insert.
 */
export const storeReplies = (
  tx: Tx,
  stored: readonly StoredReply[],
  { areNew } = { areNew: false },
): void => {
  const sealed = stored.map((one) => sealReply(tx.keyring, one))
  tx.queueWrite((areNew ? insertReplies : replaceReplies)(sealed))
}

/** Frees the key of a request that failed after its answer was stored. */
export const forgetReply = ({ platformId, scope, key }: KeyedRequest): Sql =>
  sql`delete from idempotency_keys
      where platform_id = ${platformId} and scope = ${scope} and key = ${key}`

/** True for every key; it makes the planner use the partial index for pruning. */
const ANY_AGE = sql`created_at > '-infinity'`

/** Deletes expired keys, a bounded number at a time. */
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

/** The time of a platform's oldest key. */
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

/** Whether an answer is stored; those that the caller may simply retry are not (CORE-41). */
export function isStorable(answer: { status: number; code?: ErrorCode | undefined }): boolean {
  if (answer.status >= 500 || answer.status === 429 || answer.status === 424) return false
  return answer.code === undefined || !NEVER_STORED.has(answer.code)
}
