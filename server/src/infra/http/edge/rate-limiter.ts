import { failRetryLater } from '../../../kernel/errors.ts'
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from '../../../kernel/clock.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/statement/sql.ts'
import type { Deps } from '../../deps.ts'

export type Bucket = Readonly<{ ratePerSecond: number; burst: number }>

export type RateLimiter = Readonly<{
  /** Takes one token. Fails: RATE_LIMITED with `Retry-After`. */
  take(key: string): Promise<void>
}>

/** The part of a second's tokens that a process draws from the shared bucket at once, to save round trips. */
const SHARE_OF_SECOND = 0.1

/** A bucket that is unused for so long is full again, so that its row can be deleted. */
const IDLE_MS = DAY_MS
const PRUNED_AT_ONCE = 5000

/** Deletes buckets that are unused for a day, a bounded number at a time; returns their number. */
export async function pruneBuckets(db: Database, now: Date): Promise<number> {
  let removed = 0
  for (;;) {
    const batch = await db.read.run(
      sql`delete from rate_buckets where refilled_at < ${addMs(now, -IDLE_MS)} and key in (
            select key from rate_buckets where refilled_at < ${addMs(now, -IDLE_MS)} limit ${PRUNED_AT_ONCE})`,
    )
    removed += batch
    if (batch < PRUNED_AT_ONCE) return removed
  }
}

type Granted = Readonly<{ granted: number; tokens: number }>

/**
 * A token bucket shared between processes. The bucket is a row; a process draws a small share at a time and spends it
 * from memory, so at high rates it queries the database a few times a second, not at every request.
 */
export function createRateLimiter(
  db: Database,
  clock: Clock,
  { ratePerSecond, burst }: Bucket,
): RateLimiter {
  const drawn = new Map<string, number>()
  const share = Math.max(1, Math.floor(Math.min(burst, ratePerSecond * SHARE_OF_SECOND)))

  const draw = (key: string): Promise<Granted> => {
    const refilled = sql`least(${burst}::float8, b.tokens + ${ratePerSecond}::float8 *
      greatest(0, extract(epoch from excluded.refilled_at - b.refilled_at)::float8))`
    const granted = sql`floor(least(${refilled}, ${share}::float8))`
    return db.read.one<Granted>(
      sql`insert into rate_buckets as b (key, tokens, granted, refilled_at)
          values (${key}, ${burst - share}::float8, ${share}::float8, ${clock.now()})
          on conflict (key) do update set
            tokens = ${refilled} - ${granted}, granted = ${granted},
            refilled_at = greatest(b.refilled_at, excluded.refilled_at)
          returning granted, tokens`,
    )
  }

  /** One draw at a time serves all requests that wait; two would draw twice as many tokens as are used. */
  const drawing = new Map<string, Promise<void>>()
  const refill = async (key: string): Promise<void> => {
    const { granted, tokens } = await draw(key)
    if (granted < 1) failRetryLater('RATE_LIMITED', (1 - tokens) / ratePerSecond)
    drawn.set(key, granted)
  }
  const refillOnce = (key: string): Promise<void> => {
    const running = drawing.get(key)
    if (running) return running
    const started = refill(key).finally(() => drawing.delete(key))
    drawing.set(key, started)
    return started
  }

  return {
    async take(key) {
      for (;;) {
        const left = drawn.get(key) ?? 0
        if (left > 0) {
          if (left === 1) drawn.delete(key)
          else drawn.set(key, left - 1)
          return
        }
        await refillOnce(key)
      }
    },
  }
}

/** Failed authentications from one address; undefined where they are not limited (CORE-25). */
export function createFailedAuthLimiter({
  db,
  clock,
  settings: { rateLimitFailedAuthPerMinute: perMinute },
}: Pick<Deps, 'db' | 'clock' | 'settings'>): RateLimiter | undefined {
  const ratePerSecond = perMinute / (MINUTE_MS / SECOND_MS)
  return perMinute > 0
    ? createRateLimiter(db, clock, { ratePerSecond, burst: perMinute })
    : undefined
}
