import type { Id } from '../../kernel/ids.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import { oldestLiveKey, type KeyedRequest } from '../work/idempotency.ts'

type Lease = Readonly<{ now: Date; until: Date }>

/** Leases the clock, unless another call is moving it. */
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

/** Extends the lease, unless it was released meanwhile. */
export async function renewLease(tx: Tx, platformId: Id<'platform'>, until: Date): Promise<void> {
  await tx.run(
    sql`update platforms set clock_lease_until = ${until}
        where id = ${platformId} and clock_lease_until is not null`,
  )
}

/** The offset only grows, because time never goes back. A null `leaseUntil` releases the clock. */
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

type Target = Readonly<{ offsetMs: number; at: Date }>

/**
 * Stores the target of a move before its first step. Returns the earlier target of the same request, if that was
 * interrupted.
 */
export async function beginMove(
  tx: Tx,
  { platformId, scope, key, fingerprint }: KeyedRequest,
  { target, now }: Readonly<{ target: Target; now: Date }>,
): Promise<number> {
  const begun = sql`platform_id = ${platformId} and scope = ${scope} and key = ${key}`
  const [, { targetOffsetMs }] = await Promise.all([
    tx.run(
      sql`insert into clock_moves as m (platform_id, scope, key, fingerprint, target_offset_ms, target_at)
          values (${platformId}, ${scope}, ${key}, ${fingerprint}, ${target.offsetMs}, ${target.at})
          on conflict (platform_id, scope, key) do update set fingerprint = excluded.fingerprint,
            target_offset_ms = excluded.target_offset_ms, target_at = excluded.target_at
          where m.fingerprint <> excluded.fingerprint or m.target_at <= ${oldestLiveKey(now)}`,
    ),
    tx.one<{ targetOffsetMs: bigint }>(
      sql`select target_offset_ms from clock_moves where ${begun}`,
    ),
  ])
  return Number(targetOffsetMs)
}

export function pruneMoves(tx: Tx, platformId: Id<'platform'>, now: Date): Promise<number> {
  return tx.run(
    sql`delete from clock_moves where platform_id = ${platformId} and target_at <= ${oldestLiveKey(now)}`,
  )
}
