import type { Deps } from '../deps.ts'
import { sql } from './statement/sql.ts'

/** The milliseconds by which this process's clock is ahead of the database's, within half a round trip. */
export async function readClockSkew({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const askedMs = clock.now().getTime()
  const { at } = await db.read.one<{ at: Date }>(sql`select clock_timestamp() as at`)
  return (askedMs + clock.now().getTime()) / 2 - at.getTime()
}
