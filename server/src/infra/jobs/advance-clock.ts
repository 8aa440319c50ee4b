import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS, addMs } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import { announcePlatformChange, type Callers } from '../callers.ts'
import { sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import { findPlatform } from '../platforms.ts'
import type { DueSource, Jump, Ran } from './due-source.ts'

export type Advanced = Readonly<{ platform: Platform; ran: readonly Ran[] }>

export type AdvanceOptions = Readonly<{
  deps: Deps
  sources: readonly DueSource[]
  /** What is cached of the platform is dropped whenever its offset changed. */
  callers: Pick<Callers, 'forget' | 'forgottenByAll'>
}>

const LOOK_AGAIN_MS = 20

/** Renewed before each thing that is run; long enough for the slowest of them. */
const LEASE_MS = 120 * SECOND_MS

/** How long a move waits for another one of the same clock. */
const TURN_MS = 30 * SECOND_MS

/**
 * Moves a sandbox platform's clock forward and makes everything that comes due on the way happen, in due order, each
 * seeing the time at which it was due (CORE-61). The clock itself moves step by step, so a receiver that calls back
 * in the middle sees the time of the event it was told of. While this runs, no background runner touches the
 * platform's jobs and attempts. Two moves of one clock happen one after the other.
 * Fails: CONFLICT when the clock is still being moved by another call.
 */
export async function advanceClock(
  options: AdvanceOptions,
  platformId: Id<'platform'>,
  byMs: number,
): Promise<Advanced> {
  const before = await takeClock(options, platformId)
  const startedAt = platformTime(before, options.deps.clock.now())
  const jump = { startedAt, hungUrls: new Set<string>() }
  try {
    const ran = await runUntil(options, before, { jump, target: addMs(startedAt, byMs) })
    const platform = await setOffset(options, before, {
      offsetMs: before.clockOffsetMs + byMs,
      leaseUntil: null,
    })
    // Whoever asks any process from here on finds it at the new time.
    await options.callers.forgottenByAll()
    return { platform, ran }
  } catch (error) {
    // The clock stays where it got to: what has not been run is not passed over.
    await setOffset(options, before, { offsetMs: 0, leaseUntil: null })
    throw error
  }
}

async function runUntil(
  options: AdvanceOptions,
  before: Platform,
  { jump, target }: { jump: Jump; target: Date },
): Promise<Ran[]> {
  const { deps, sources } = options
  const ran: Ran[] = []
  for (;;) {
    const next = await earliest(sources, before.id, target)
    if (!next) return ran
    const now = deps.clock.now()
    const platform = await setOffset(options, before, {
      offsetMs: next.dueAt.getTime() - now.getTime(),
      leaseUntil: addMs(now, LEASE_MS),
    })
    const done = await next.source.runNext(platform, next.dueAt, jump)
    if (done && done.outcome !== 'taken') ran.push(done)
    // Another process was already at it when the clock was taken: it ends by itself.
    else await delay(LOOK_AGAIN_MS)
  }
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
  const giveUpAt = addMs(deps.clock.now(), TURN_MS)
  for (;;) {
    const now = deps.clock.now()
    const taken = await deps.db.read.run(
      sql`update platforms set clock_lease_until = ${addMs(now, LEASE_MS)}
          where id = ${platformId} and (clock_lease_until is null or clock_lease_until <= ${now})`,
    )
    if (taken === 1) break
    if (now >= giveUpAt) fail('CONFLICT', { reason: 'CLOCK_IS_MOVING' })
    await delay(LOOK_AGAIN_MS)
  }
  return (await findPlatform(deps.db.read, platformId)) ?? fail('REFERENCE_NOT_FOUND')
}

/** Time never goes back: the offset only ever grows. */
async function setOffset(
  { deps, callers }: AdvanceOptions,
  platform: Platform,
  { offsetMs, leaseUntil }: { offsetMs: number; leaseUntil: Date | null },
): Promise<Platform> {
  const moved = await deps.db.transaction(async (tx) => {
    const row = await tx.one<{ clockOffsetMs: bigint }>(
      sql`update platforms set clock_offset_ms = greatest(clock_offset_ms, ${offsetMs}),
            clock_lease_until = ${leaseUntil} where id = ${platform.id} returning clock_offset_ms`,
    )
    announcePlatformChange(tx, platform.id)
    return row
  })
  callers.forget(platform.id)
  return { ...platform, clockOffsetMs: Number(moved.clockOffsetMs) }
}
