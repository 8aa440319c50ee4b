import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS, addMs } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import { announcePlatformChange } from '../callers.ts'
import { sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import { findPlatform } from '../platforms.ts'
import type { DueSource, Ran } from './due-source.ts'

export type Advanced = Readonly<{ platform: Platform; ran: readonly Ran[] }>

export type AdvanceOptions = Readonly<{
  deps: Deps
  sources: readonly DueSource[]
  /** Called whenever the platform's offset changed, so that what is cached of it is dropped here at once. */
  changed: (platformId: Id<'platform'>) => void
}>

const TAKEN_WAIT_MS = 5

/** Renewed before each thing that is run; long enough for the slowest of them. */
const LEASE_MS = 120 * SECOND_MS

/**
 * Moves a sandbox platform's clock forward and makes everything that comes due on the way happen, in due order, each
 * seeing the time at which it was due (CORE-61). The clock itself moves step by step, so a receiver that calls back
 * in the middle sees the time of the event it was told of. While this runs, no background runner touches the
 * platform's jobs. Fails: CONFLICT when the clock is already being moved.
 */
export async function advanceClock(
  options: AdvanceOptions,
  platformId: Id<'platform'>,
  byMs: number,
): Promise<Advanced> {
  const { deps } = options
  const before = await takeClock(options, platformId)
  const target = addMs(platformTime(before, deps.clock.now()), byMs)
  const ran: Ran[] = []
  try {
    for (;;) {
      const next = await earliest(options.sources, platformId, target)
      if (!next) break
      const platform = await moveTo(options, before, next.dueAt)
      const done = await next.source.runNext(platform, next.dueAt)
      if (done && done.outcome !== 'taken') ran.push(done)
      // Another process was already at it when the clock was taken: it ends by itself.
      else await delay(TAKEN_WAIT_MS)
    }
  } finally {
    await moveTo(options, before, target, { release: true, offsetMs: before.clockOffsetMs + byMs })
  }
  const platform = await findPlatform(deps.db.read, platformId)
  return { platform: platform ?? before, ran }
}

type Next = Readonly<{ source: DueSource; dueAt: Date }>

async function earliest(
  sources: readonly DueSource[],
  platformId: Id<'platform'>,
  target: Date,
): Promise<Next | undefined> {
  const found = await Promise.all(
    sources.map(async (source) => ({ source, dueAt: await source.nextDueAt(platformId) })),
  )
  return found
    .filter((next): next is Next => next.dueAt !== undefined && next.dueAt <= target)
    .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())[0]
}

async function takeClock({ deps }: AdvanceOptions, platformId: Id<'platform'>): Promise<Platform> {
  const now = deps.clock.now()
  const taken = await deps.db.read.run(
    sql`update platforms set clock_lease_until = ${addMs(now, LEASE_MS)}
        where id = ${platformId} and (clock_lease_until is null or clock_lease_until <= ${now})`,
  )
  if (taken === 0) fail('CONFLICT', { reason: 'CLOCK_IS_MOVING' })
  return (await findPlatform(deps.db.read, platformId)) ?? fail('REFERENCE_NOT_FOUND')
}

/** Sets the offset so that the platform's time is at least `time`; it never goes back. */
async function moveTo(
  { deps, changed }: AdvanceOptions,
  platform: Platform,
  time: Date,
  end?: { release: true; offsetMs: number },
): Promise<Platform> {
  const now = deps.clock.now()
  const offsetMs = end?.offsetMs ?? time.getTime() - now.getTime()
  const lease = end ? null : addMs(now, LEASE_MS)
  const moved = await deps.db.transaction(async (tx) => {
    const row = await tx.one<{ clockOffsetMs: bigint }>(
      sql`update platforms set clock_offset_ms = greatest(clock_offset_ms, ${offsetMs}),
            clock_lease_until = ${lease} where id = ${platform.id} returning clock_offset_ms`,
    )
    announcePlatformChange(tx, platform.id)
    return row
  })
  changed(platform.id)
  return { ...platform, clockOffsetMs: Number(moved.clockOffsetMs) }
}
