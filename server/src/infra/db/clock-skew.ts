import type { Deps } from '../deps.ts'
import { sql } from './statement/sql.ts'

/** By how many milliseconds the clock of this process is ahead of the database's; half a round trip is not known. */
export async function readClockSkew({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const askedMs = clock.now().getTime()
  const { at } = await db.read.one<{ at: Date }>(sql`select clock_timestamp() as at`)
  return (askedMs + clock.now().getTime()) / 2 - at.getTime()
}
