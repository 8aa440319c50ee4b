import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS, addMs } from '../../kernel/clock.ts'
import { fail, failRetryLater } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import { announcePlatformChange, type Callers } from '../callers.ts'
import type { Deps } from '../deps.ts'
import type { KeyedRequest } from '../work/idempotency.ts'
import { findPlatform } from '../platforms.ts'
import { beginMove, leaseClock, renewLease, saveOffset } from './clock-store.ts'
import { isTaken, type DueSource, type Jump, type Ran } from './due-source.ts'

export type Advanced = Readonly<{ platform: Platform; ran: readonly Ran[] }>

export type Move = Readonly<{ byMs: number; keyed?: KeyedRequest | undefined }>

export type ClockOptions = Readonly<{
  deps: Deps
  sources: readonly DueSource[]
  /** The cache of callers drops the platform whenever its offset changes. */
  callers: Pick<Callers, 'forget' | 'forgottenByAll'>
}>

export type Clocks = Readonly<{
  /**
   * Moves a sandbox platform's clock forward and runs everything that comes due on the way, in due order, each at the
   * time at which it was due (CORE-61). The clock moves step by step, so a receiver that calls back in the middle sees
   * the time of the event it received. Meanwhile no background runner touches the platform's jobs and attempts. Two
   * moves of one clock run one after the other. A move under a key that was interrupted is continued, under the same
   * key, to its original target.
   * Fails: SERVICE_UNAVAILABLE when another call is still moving the clock, or this process ends.
   */
  advance(platformId: Id<'platform'>, move: Move): Promise<Advanced>
  /** A move that takes longer than this stops between two steps, so that another process can continue it. */
  stop(withinMs?: number): void
}>

/** The first pause before work that another process is running is checked again; it doubles each time. */
const LOOK_AGAIN_MS = 20
const LOOK_AGAIN_MAX_MS = 500

/** The lease is renewed while a move runs; after a process died in the middle, the next move waits this long. */
const LEASE_MS = 20 * SECOND_MS
const RENEW_MS = 5 * SECOND_MS

/** How long a move waits for another one of the same clock. */
const TURN_MS = 30 * SECOND_MS

/** A process has ten seconds to stop (CORE-85). */
const STOP_MS = 5 * SECOND_MS

export function createClocks(options: ClockOptions): Clocks {
  const { deps } = options
  const ending = new AbortController()
  return {
    async advance(platformId, move) {
      const before = await takeClock(deps, platformId, ending.signal)
      const lease = keepLease(deps, platformId)
      try {
        const realTime = deps.clock.now()
        const startedAt = platformTime(before, realTime)
        const offsetMs = await targetOf(deps, before, { ...move, startedAt })
        const jump = { startedAt, hungUrls: new Set<string>() }
        const target = addMs(realTime, offsetMs)
        const ran = await runUntil(options, before, { jump, target, ending: ending.signal })
        await lease.end()
        const platform = await setOffset(options, before, { offsetMs, leaseUntil: null })
        // From here on every process answers with the new time.
        await options.callers.forgottenByAll()
        return { platform, ran }
      } catch (error) {
        // The clock stays at its last step, so that no due work is skipped.
        await lease.end()
        await setOffset(options, before, { offsetMs: 0, leaseUntil: null })
        throw error
      }
    },
    stop: (withinMs = STOP_MS) => void setTimeout(() => ending.abort(), withinMs).unref(),
  }
}

/** The offset at which a move ends. */
async function targetOf(
  { db }: Deps,
  { clockOffsetMs }: Platform,
  { byMs, keyed, startedAt }: Move & { startedAt: Date },
): Promise<number> {
  const target = { offsetMs: clockOffsetMs + byMs, at: addMs(startedAt, byMs) }
  if (!keyed) return target.offsetMs
  return db.transaction((tx) => beginMove(tx, keyed, { target, now: startedAt }))
}

/** Refuses when this process stops; a retry soon after is answered by another one. */
function mustGoOn(ending: AbortSignal): void {
  if (ending.aborted) failRetryLater('SERVICE_UNAVAILABLE', 1)
}

type Course = Readonly<{ jump: Jump; target: Date; ending: AbortSignal }>

async function runUntil(
  options: ClockOptions,
  before: Platform,
  { jump, target, ending }: Course,
): Promise<Ran[]> {
  const { deps, sources } = options
  const ran: Ran[] = []
  let waitMs = LOOK_AGAIN_MS
  for (;;) {
    const next = await earliest(sources, before.id, target)
    if (!next) return ran
    mustGoOn(ending)
    const now = deps.clock.now()
    const platform = await setOffset(options, before, {
      offsetMs: next.dueAt.getTime() - now.getTime(),
      leaseUntil: addMs(now, LEASE_MS),
    })
    const done = await next.source.runNext(platform, next.dueAt, jump)
    if (done && !isTaken(done)) {
      ran.push(done)
      waitMs = LOOK_AGAIN_MS
      continue
    }
    // Another process was already running it when the clock was leased.
    await delay(waitMs)
    waitMs = Math.min(2 * waitMs, LOOK_AGAIN_MAX_MS)
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

async function takeClock(
  { db, clock }: Deps,
  platformId: Id<'platform'>,
  ending: AbortSignal,
): Promise<Platform> {
  const giveUpAt = addMs(clock.now(), TURN_MS)
  for (;;) {
    mustGoOn(ending)
    const now = clock.now()
    if (await leaseClock(db.read, platformId, { now, until: addMs(now, LEASE_MS) })) break
    if (now >= giveUpAt) {
      failRetryLater('SERVICE_UNAVAILABLE', RENEW_MS / SECOND_MS, { reason: 'CLOCK_IS_MOVING' })
    }
    await delay(LOOK_AGAIN_MS)
  }
  return (await findPlatform(db.read, platformId)) ?? fail('REFERENCE_NOT_FOUND')
}

/** Renews the lease, because a step may take longer than the short lease that a dead process leaves. */
function keepLease({ db, clock, log }: Deps, platformId: Id<'platform'>): { end(): Promise<void> } {
  let renewing = Promise.resolve()
  const renew = (): void => {
    renewing = renewLease(db.read, platformId, addMs(clock.now(), LEASE_MS)).catch(
      (error: unknown) => log.warn({ err: error, platformId }, 'clock not kept'),
    )
  }
  const timer = setInterval(renew, RENEW_MS)
  return {
    end() {
      clearInterval(timer)
      return renewing
    },
  }
}

async function setOffset(
  { deps, callers }: ClockOptions,
  platform: Platform,
  to: { offsetMs: number; leaseUntil: Date | null },
): Promise<Platform> {
  const clockOffsetMs = await deps.db.transaction(async (tx) => {
    announcePlatformChange(tx, platform.id)
    return saveOffset(tx, platform.id, to)
  })
  callers.forget(platform.id)
  return { ...platform, clockOffsetMs }
}
