import type { Clock } from '../kernel/clock.ts'
import type { Id } from '../kernel/ids.ts'
import type { AgentPermission, Permission } from '../kernel/access/permissions.ts'
import type { Platform } from '../kernel/platform.ts'
import type { Database } from './db/database.ts'
import type { Listening } from './db/notification/listen.ts'
import { sql } from './db/statement/sql.ts'
import type { Tx } from './db/tx.ts'
import type { Work } from './work/work.ts'
import { PLATFORM_COLUMNS, toPlatform, type PlatformRow } from './platforms.ts'

/** A live token with its platform: everything that has to be known of a caller before its request is looked at. */
export type Caller = Readonly<{
  tokenId: Id<'token'>
  permissions: readonly Permission[]
  secretDigest: Buffer
  platform: Platform
}>

/** A connected agent with its platform, and what its policy lets it ask for at all. */
export type AgentCaller = Readonly<{
  agentId: Id<'agent'>
  customerId: Id<'customer'>
  isPaused: boolean
  permissions: readonly AgentPermission[]
  /** When its token ends; null: never (AGENT-16). */
  tokenExpiresAt: Date | null
  platform: Platform
}>

export type Callers = Readonly<{
  find(tokenId: Id<'token'>): Promise<Caller | undefined>
  findAgent(tokenDigest: Buffer): Promise<AgentCaller | undefined>
  /** Forgets what is cached of this platform, here at once and in every other process by notification. */
  forget(platformId: Id<'platform'>): void
  /** Resolves when no process acts any more on what it had cached of changes that are committed by now. */
  forgottenByAll(): Promise<void>
  stop(): Promise<void>
}>

/** A deleted token ends here at once, elsewhere by notification, at the latest when this runs out (TOK-5). */
const CACHE_MS = 5_000
const CACHED_MAX = 10_000
const CHANNEL = 'florin_callers'

type Row = PlatformRow &
  Readonly<{ tokenId: Id<'token'>; permissions: Permission[]; secretDigest: Buffer }>

async function read(tx: Tx, tokenId: Id<'token'>): Promise<Caller | undefined> {
  const row = await tx.find<Row>(
    sql`select t.id as token_id, t.permissions, t.secret_digest, ${PLATFORM_COLUMNS}
        from api_tokens t join platforms p on p.id = t.platform_id
        where t.id = ${tokenId} and t.deleted_at is null`,
  )
  if (!row) return undefined
  const { permissions, secretDigest } = row
  return { tokenId: row.tokenId, permissions, secretDigest, platform: toPlatform(row) }
}

type AgentRow = PlatformRow & Omit<AgentCaller, 'platform'>

async function readAgent(tx: Tx, tokenDigest: Buffer): Promise<AgentCaller | undefined> {
  const row = await tx.find<AgentRow>(
    sql`select a.id as agent_id, a.customer_id, a.is_paused, a.policy->'permissions' as permissions,
          a.token_expires_at, ${PLATFORM_COLUMNS}
        from agents a join platforms p on p.id = a.platform_id
        where a.token_digest = ${tokenDigest} and a.deleted_at is null`,
  )
  if (!row) return undefined
  const { agentId, customerId, isPaused, permissions, tokenExpiresAt } = row
  return {
    agentId,
    customerId,
    isPaused,
    permissions,
    tokenExpiresAt,
    platform: toPlatform(row),
  }
}

/** Tells the other processes, when this transaction commits, that a platform's tokens or clock changed. */
export function announcePlatformChange(tx: Tx, platformId: Id<'platform'>): void {
  tx.queueWrite(sql`select pg_notify(${CHANNEL}, ${platformId}::text)`)
}

/** The reaction to a change of a platform's tokens or agents: what is cached of it is dropped, here as soon as it is committed. */
export function dropCallers(callers: Pick<Callers, 'forget'>) {
  return async ({ tx, platform, afterCommit }: Work): Promise<void> => {
    announcePlatformChange(tx, platform.id)
    afterCommit(() => callers.forget(platform.id))
  }
}

type Cached<C> = Readonly<{
  find(key: string, read: () => Promise<C | undefined>): Promise<C | undefined>
  forget(platformId?: string): void
}>

type CacheOptions = Readonly<{
  clock: Clock
  /** A process that would not hear of a change must not rely on what it knew. */
  isListening: () => boolean
}>

function cacheOf<C extends Readonly<{ platform: Platform }>>(options: CacheOptions): Cached<C> {
  const { clock, isListening } = options
  const cached = new Map<string, { caller: C; until: number }>()
  // What was read before a change must not be cached after it.
  let changes = 0
  return {
    async find(key, read) {
      const nowMs = clock.now().getTime()
      const known = cached.get(key)
      if (known && known.until > nowMs) return known.caller
      const changesBefore = changes
      const caller = await read()
      if (changes !== changesBefore || !isListening()) return caller
      if (cached.size >= CACHED_MAX) cached.clear()
      if (caller) cached.set(key, { caller, until: nowMs + CACHE_MS })
      else cached.delete(key)
      return caller
    },
    forget(platformId) {
      changes += 1
      if (platformId === undefined) return cached.clear()
      for (const [key, { caller }] of cached)
        if (caller.platform.id === platformId) cached.delete(key)
    },
  }
}

export async function createCallers(db: Database, clock: Clock): Promise<Callers> {
  const options = { clock, isListening: () => listening.isLive() }
  const tokens = cacheOf<Caller>(options)
  const agents = cacheOf<AgentCaller>(options)
  const forget = (platformId?: string): void => {
    tokens.forget(platformId)
    agents.forget(platformId)
  }
  const heard = (payload: string): void => (payload === '' ? forget() : forget(payload))
  const listening: Listening = await db.listen(CHANNEL, heard)
  return {
    find: (tokenId) => tokens.find(tokenId, () => read(db.read, tokenId)),
    findAgent: (digest) => agents.find(digest.toString('base64'), () => readAgent(db.read, digest)),
    forget,
    forgottenByAll: () => listening.heardByAll({ withinMs: CACHE_MS }),
    stop: () => listening.stop(),
  }
}
