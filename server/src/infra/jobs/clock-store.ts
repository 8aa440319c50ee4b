import type { Id } from '../../kernel/ids.ts'
import { sql } from '../db/sql.ts'
import type { Tx } from '../db/tx.ts'

type Lease = Readonly<{ now: Date; until: Date }>

/** Takes the clock, unless somebody is moving it. */
export async function leaseClock(
  tx: Tx,
  platformId: Id<'platform'>,
  { now, until }: Lease,
): Promise<boolean> {
  const taken = await tx.run(
    sql`update platforms set clock_lease_until = ${until}
        where id = ${platformId} and (clock_lease_until is null or clock_lease_until <= ${now})`,
  )
  return taken === 1
}

/** Keeps a clock that was not given back meanwhile. */
export async function renewLease(tx: Tx, platformId: Id<'platform'>, until: Date): Promise<void> {
  await tx.run(
    sql`update platforms set clock_lease_until = ${until}
        where id = ${platformId} and clock_lease_until is not null`,
  )
}

/** Time never goes back: the offset only ever grows. Without an end of the lease the clock is given back. */
export async function saveOffset(
  tx: Tx,
  platformId: Id<'platform'>,
  { offsetMs, leaseUntil }: Readonly<{ offsetMs: number; leaseUntil: Date | null }>,
): Promise<number> {
  const { clockOffsetMs } = await tx.one<{ clockOffsetMs: bigint }>(
    sql`update platforms set clock_offset_ms = greatest(clock_offset_ms, ${offsetMs}),
          clock_lease_until = ${leaseUntil} where id = ${platformId} returning clock_offset_ms`,
  )
  return Number(clockOffsetMs)
}
