import type { Keyring } from '../crypto/seal.ts'
import { addMs } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { given, type Columns } from '../infra/db/statement/given.ts'
import { sql } from '../infra/db/statement/sql.ts'
import type { Tx } from '../infra/db/tx.ts'
import {
  decideStored,
  IDEMPOTENCY_KEY_LIFETIME_MS,
  isStorable,
  lockName,
  storeReplies,
  type KeyedRequest,
  type StoredRow,
} from '../infra/work/idempotency.ts'
import { errorReply } from '../infra/http/error-reply.ts'
import type { Reply } from '../infra/http/reply.ts'

type Keyed = Readonly<{ keyed: KeyedRequest | undefined; now: Date }>
type Kept = Keyed & Readonly<{ kind: Readonly<{ keeps?: (reply: Reply) => boolean }> }>
type Outcome = Readonly<{ reply: Reply } | { error: ApiError }>

type KeyedAt = Readonly<{ index: number; keyed: KeyedRequest; now: Date }>

const keyedOf = (batch: readonly Keyed[]): KeyedAt[] =>
  batch.flatMap(({ keyed, now }, index) => (keyed ? [{ index, keyed, now }] : []))

const mapKeyOf = ({ platformId, scope, key }: Omit<KeyedRequest, 'fingerprint'>): string =>
  `${platformId} ${scope} ${key}`

const LOCK: Columns<KeyedRequest> = { name: ['text', lockName] }
const KEY: Columns<KeyedRequest> = {
  platform_id: ['uuid', (request) => request.platformId],
  scope: ['text', (request) => request.scope],
  key: ['text', (request) => request.key],
}

export type Claimed = Readonly<{
  /** By a stored answer, or because another transaction or an earlier command of the batch uses the key. */
  decided: ReadonlyMap<number, Outcome>
  /** The commands under whose keys an answer is stored whose 24 hours are past. */
  replacing: ReadonlySet<number>
}>

/** Locks the idempotency keys of a batch in one round trip, and looks up what is stored under them. */
export async function claimKeys(
  tx: Tx,
  batch: readonly Keyed[],
  keyring: Keyring,
): Promise<Claimed> {
  const commands = keyedOf(batch)
  const decided = new Map<number, Outcome>()
  const replacing = new Set<number>()
  if (commands.length === 0) return { decided, replacing }
  const requests = commands.map(({ keyed }) => keyed)
  const [locks, rows] = await Promise.all([
    tx.many<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(l.name, 0)) as taken
          from ${given('l', LOCK, requests)}`,
    ),
    tx.many<StoredRow>(
      // The offset keeps the planner from scanning all stored answers, which it would while there are few.
      sql`select stored.* from ${given('k', KEY, requests)}
          cross join lateral (
            select i.platform_id, i.scope, i.key, i.fingerprint, i.status, i.headers, i.body, i.sealed, i.created_at
            from idempotency_keys i
            where i.platform_id = k.platform_id and i.scope = k.scope and i.key = k.key offset 0) stored`,
    ),
  ])
  const stored = new Map(rows.map((row) => [mapKeyOf(row), row]))
  const first = new Set<string>()
  commands.forEach(({ index, keyed, now }, n) => {
    const row = stored.get(mapKeyOf(keyed))
    const isLive = row !== undefined && addMs(row.createdAt, IDEMPOTENCY_KEY_LIFETIME_MS) > now
    const taken = locks[n]?.taken === true && (isLive || !first.has(mapKeyOf(keyed)))
    first.add(mapKeyOf(keyed))
    if (row) replacing.add(index)
    try {
      const reply = decideStored({ taken, row, request: keyed, now, keyring })
      if (reply) decided.set(index, { reply })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      decided.set(index, { error })
    }
  })
  return { decided, replacing }
}

type Storing = Readonly<{
  decided: ReadonlyMap<number, Outcome>
  replacing: Claimed['replacing']
}>

/** Stores the outcomes of this batch, refusals included, under the commands' keys. */
export function storeOutcomes(
  tx: Tx,
  batch: readonly Kept[],
  { decided, replacing }: Storing,
): void {
  const stored = keyedOf(batch).flatMap(({ index, keyed, now }) => {
    const outcome = decided.get(index)
    if (!outcome) return []
    const reply = 'reply' in outcome ? outcome.reply : errorReply(outcome.error)
    const code = 'error' in outcome ? outcome.error.code : undefined
    if (reply.headers?.['Idempotent-Replayed'] || !isStorable({ status: reply.status, code }))
      return []
    if (batch[index]?.kind.keeps?.(reply) === false) return []
    return [{ index, request: keyed, reply, now }]
  })
  const [over, areNew] = [
    stored.filter(({ index }) => replacing.has(index)),
    stored.filter(({ index }) => !replacing.has(index)),
  ]
  if (over.length > 0) storeReplies(tx, over)
  if (areNew.length > 0) storeReplies(tx, areNew, { areNew: true })
}
