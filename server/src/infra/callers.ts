import type { Clock } from '../kernel/clock.ts'
import type { Id } from '../kernel/ids.ts'
import type { Permission } from '../kernel/permissions.ts'
import type { Platform } from '../kernel/platform.ts'
import type { Database } from './db/database.ts'
import type { Listening } from './db/listen.ts'
import { sql } from './db/sql.ts'
import type { Tx } from './db/tx.ts'
import type { Work } from './work.ts'
import { PLATFORM_COLUMNS, toPlatform, type PlatformRow } from './platforms.ts'

/** A live token with its platform: everything that has to be known of a caller before its request is looked at. */
export type Caller = Readonly<{
  tokenId: Id<'token'>
  permissions: readonly Permission[]
  secretDigest: Buffer
  platform: Platform
}>

export type Callers = Readonly<{
  find(tokenId: Id<'token'>): Promise<Caller | undefined>
  /** Forgets what is cached of this platform, here at once and in every other process by notification. */
  forget(platformId: Id<'platform'>): void
  stop(): Promise<void>
}>

/** TOK-5: a deleted token dies here at once, elsewhere by notification, and at the latest when this runs out. */
const CACHE_MS = 5_000
const CACHED_MAX = 10_000
const CHANNEL = 'florin_callers'

type Row = PlatformRow &
  Readonly<{ tokenId: Id<'token'>; permissions: Permission[]; secretDigest: Buffer }>

async function read(tx: Tx, tokenId: Id<'token'>): Promise<Caller | undefined> {
  const row = await tx.maybe<Row>(
    sql`select t.id as token_id, t.permissions, t.secret_digest, ${PLATFORM_COLUMNS}
        from api_tokens t join platforms p on p.id = t.platform_id
        where t.id = ${tokenId} and t.deleted_at is null`,
  )
  if (!row) return undefined
  const { permissions, secretDigest } = row
  return { tokenId: row.tokenId, permissions, secretDigest, platform: toPlatform(row) }
}

/** Tells the other processes, when this transaction commits, that a platform's tokens or clock changed. */
export function announcePlatformChange(tx: Tx, platformId: Id<'platform'>): void {
  tx.trail(sql`select pg_notify(${CHANNEL}, ${platformId}::text)`)
}

/** The reaction to a change of a platform's tokens: what is cached of it is dropped, here as soon as it is committed. */
export function dropCallers(callers: Pick<Callers, 'forget'>) {
  return async ({ tx, platform, afterCommit }: Work): Promise<void> => {
    announcePlatformChange(tx, platform.id)
    afterCommit(() => callers.forget(platform.id))
  }
}

export async function createCallers(db: Database, clock: Clock): Promise<Callers> {
  const cached = new Map<string, { caller: Caller; until: number }>()
  // What was read before a change must not be cached after it.
  let changes = 0
  const forget = (platformId: string): void => {
    changes += 1
    for (const [key, { caller }] of cached)
      if (caller.platform.id === platformId) cached.delete(key)
  }
  const forgetAll = (): void => {
    changes += 1
    cached.clear()
  }
  const heard = (payload: string): void => (payload === '' ? forgetAll() : forget(payload))
  const listening: Listening = await db.listen(CHANNEL, heard)
  return {
    async find(tokenId) {
      const nowMs = clock.now().getTime()
      const known = cached.get(tokenId)
      if (known && known.until > nowMs) return known.caller
      const changesBefore = changes
      const caller = await read(db.read, tokenId)
      if (changes !== changesBefore) return caller
      if (cached.size >= CACHED_MAX) cached.clear()
      if (caller) cached.set(tokenId, { caller, until: nowMs + CACHE_MS })
      else cached.delete(tokenId)
      return caller
    },
    forget,
    stop: () => listening.stop(),
  }
}
