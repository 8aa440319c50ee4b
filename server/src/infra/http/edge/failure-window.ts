import { failRetryLater } from '../../../kernel/errors.ts'
import { addMs, SECOND_MS, type Clock } from '../../../kernel/clock.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/statement/sql.ts'

export type Attempt = Readonly<{
  /** Takes back the counted failure. Never throws: without it, the failure leaves the window with time. */
  forgive(): Promise<void>
}>

export type FailureWindow = Readonly<{
  /** Counts a failure until it is forgiven. Fails: RATE_LIMITED with `Retry-After`. */
  attempt(key: string): Promise<Attempt>
}>

/**
 * Allows at most `max` failures per key in any period of `windowMs`, across all processes. Each attempt takes a place,
 * which is a row, before its outcome is known, so that many attempts at once are limited as well.
 */
export function createFailureWindow(
  db: Database,
  clock: Clock,
  { max, windowMs }: Readonly<{ max: number; windowMs: number }>,
): FailureWindow {
  const placesOf = (key: string) =>
    sql`(select ${key}::text || ' ' || n as key from generate_series(1, ${max}::integer) as n) as place`

  const take = (key: string, { now, since }: { now: Date; since: Date }) =>
    db.read.maybe<{ key: string }>(
      sql`insert into rate_buckets as b (key, tokens, granted, refilled_at)
          select place.key, 0, 0, ${now}::timestamptz
          from ${placesOf(key)} left join rate_buckets taken on taken.key = place.key
          where taken.key is null or taken.refilled_at <= ${since} limit 1
          on conflict (key) do update set refilled_at = excluded.refilled_at
            where b.refilled_at <= ${since}
          returning b.key`,
    )

  const mustHaveRoom = async (key: string, since: Date): Promise<void> => {
    const { taken, oldest } = await db.read.one<{ taken: number; oldest: Date | null }>(
      sql`select count(*)::integer as taken, min(b.refilled_at) as oldest
          from ${placesOf(key)} join rate_buckets b on b.key = place.key
          where b.refilled_at > ${since}`,
    )
    if (!oldest || taken < max) return
    failRetryLater('RATE_LIMITED', (oldest.getTime() - since.getTime()) / SECOND_MS)
  }

  return {
    async attempt(key) {
      for (;;) {
        const now = clock.now()
        const since = addMs(now, -windowMs)
        const place = await take(key, { now, since })
        if (place) return { forgive: () => forgive({ place: place.key, since: now }) }
        // No place is free, or another call took it first.
        await mustHaveRoom(key, since)
      }
    },
  }

  /** Frees the place, unless another attempt has it by now. */
  async function forgive({ place, since }: { place: string; since: Date }): Promise<void> {
    const own = sql`delete from rate_buckets where key = ${place} and refilled_at = ${since}`
    await db.read.run(own).catch(() => undefined)
  }
}
