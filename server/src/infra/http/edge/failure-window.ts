import { failRetryLater } from '../../../kernel/errors.ts'
import { addMs, SECOND_MS, type Clock } from '../../../kernel/clock.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/statement/sql.ts'

export type Attempt = Readonly<{
  /** It was no failure. Never fails: an attempt that is not forgiven is forgotten with its time. */
  forgive(): Promise<void>
}>

export type FailureWindow = Readonly<{
  /** Counts as a failure until it is forgiven; fails with RATE_LIMITED and when to come back. */
  attempt(key: string): Promise<Attempt>
}>

/**
 * At most so many failures in any stretch of time of this length, in all processes together. Each takes a place, which is
 * a row, before it is known to be one: a caller that sends many at once has no more of them checked.
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
        // None is free, or another call was faster at the one that was.
        await mustHaveRoom(key, since)
      }
    },
  }

  /** Not if the call took so long that the place is another's by now. */
  async function forgive({ place, since }: { place: string; since: Date }): Promise<void> {
    const own = sql`delete from rate_buckets where key = ${place} and refilled_at = ${since}`
    await db.read.run(own).catch(() => undefined)
  }
}
