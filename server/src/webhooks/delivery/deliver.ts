import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS, addMs } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { isUnavailable } from '../../infra/db/connection/unavailable.ts'
import type { Deps } from '../../infra/deps.ts'
import type { DueSource, Jump, Ran } from '../../infra/jobs/due-source.ts'
import type { Metrics } from '../../infra/logging/metrics.ts'
import { createPoller, type Poller } from '../../infra/poller.ts'
import {
  findEnded,
  findFirstWaiting,
  holdDueAttempts,
  holdFirstAttempt,
  releaseAttempts,
  type HeldAttempt,
  type WaitingAttempt,
} from './store.ts'
import { dispatchEvents } from '../queue/dispatch.ts'
import { countFailingEndpoints, readBacklog } from '../endpoints/failing-endpoints.ts'
import { ATTEMPT_TIMEOUT_MS, makeAttempt } from './make-attempt.ts'
import { roomFor } from './platform-share.ts'
import { createRecorder, type Outcome } from './record-outcomes.ts'

export type Deliverer = DueSource & Poller

export type DelivererOptions = Readonly<{ deps: Deps; metrics?: Metrics; inBackground: boolean }>

const POLL_MS = 500
/** Longer than an attempt with its recording takes; past it another process sends again (HOOK-12). */
const LEASE_MS = ATTEMPT_TIMEOUT_MS + 30 * SECOND_MS
/** Attempts without an answer after this time are released when the process stops. */
const GRACE_MS = 3 * SECOND_MS
const GRACE_CHECK_MS = 20

/**
 * Sends due attempts in the background, shared with every other process on this database; and, one by one, the attempts
 * that come due while a sandbox clock is moved. No database connection is held while an answer is awaited.
 */
export function createDeliverer({ deps, metrics, inBackground }: DelivererOptions): Deliverer {
  const running = new Set<HeldAttempt>()
  const recordOutcome = createRecorder(deps)
  let isAbandoned = false
  metrics?.watchWebhooks(() => readBacklog(deps.db.read, deps.clock.now()))
  metrics?.watchFailingEndpoints(() => countFailingEndpoints(deps.db.read, deps.clock.now()))

  const record = async (outcome: Outcome): Promise<string> => {
    if (!isAbandoned) await recordOutcome(outcome)
    const word = outcomeWord(outcome)
    metrics?.webhookDeliveries.inc({ outcome: word })
    return word
  }
  const start = (attempt: HeldAttempt): void => {
    running.add(attempt)
    const at = platformTime(attempt.platform, deps.clock.now())
    void makeAttempt(deps, attempt, { at })
      .then(record)
      .catch((error: unknown) => {
        if (!isUnavailable(error)) deps.log.error({ err: error }, 'webhook attempt failed')
      })
      .finally(() => {
        running.delete(attempt)
        poller.wake()
      })
  }
  const look = async (): Promise<void> => {
    const room = roomFor(running.size)
    if (!room) return
    const now = deps.clock.now()
    const held = await holdDueAttempts(deps.db.read, {
      now,
      leasedUntil: addMs(now, LEASE_MS),
      wireBrand: deps.settings.wireBrand,
      limit: room.free,
      share: room.share,
      running: countByPlatform(running),
    })
    held.forEach(start)
    if (held.length === room.free) poller.wake()
  }
  const poller = createPoller({
    look,
    everyMs: inBackground ? POLL_MS : undefined,
    log: deps.log,
    idle: () => running.size === 0 || isAbandoned,
  })
  return {
    wake: () => poller.wake(),
    async stop() {
      const stopped = poller.stop()
      for (let waitedMs = 0; running.size > 0 && waitedMs < GRACE_MS; waitedMs += GRACE_CHECK_MS) {
        await delay(GRACE_CHECK_MS)
      }
      isAbandoned = true
      await stopped
      if (running.size > 0) await release(deps, [...running])
    },
    async nextDueAt(platformId) {
      await dispatchEvents(deps)
      return (await findFirstWaiting(deps.db.read, platformId))?.dueAt
    },
    runNext: (platform, until, jump) => runNext({ deps, record }, platform, { until, jump }),
  }
}

/** Without a database they stay leased, and the leases end by themselves. */
async function release({ db }: Deps, attempts: readonly HeldAttempt[]): Promise<void> {
  try {
    await releaseAttempts(db.read, attempts)
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
}

const outcomeWord = (outcome: Outcome): string =>
  outcome.kind === 'DROPPED' ? 'dropped' : outcome.isDelivered ? 'delivered' : 'failed'

function countByPlatform(attempts: Iterable<HeldAttempt>): Map<Id<'platform'>, number> {
  const counts = new Map<Id<'platform'>, number>()
  for (const { platform } of attempts) counts.set(platform.id, (counts.get(platform.id) ?? 0) + 1)
  return counts
}

/** Attempts of other processes during a jump: if one times out, the jump need not time out again. */
const takenIn = new WeakMap<Jump, WaitingAttempt>()

/** Remembered until the attempt has ended. */
async function learnOfTaken(tx: Tx, platformId: Id<'platform'>, jump: Jump): Promise<void> {
  const taken = takenIn.get(jump)
  const ended = taken && (await findEnded(tx, platformId, taken))
  if (!ended) return
  takenIn.delete(jump)
  if (ended.hasTimedOut) jump.hungUrls.add(ended.url)
}

type Stepping = Readonly<{ deps: Deps; record: (outcome: Outcome) => Promise<string> }>

async function runNext(
  { deps, record }: Stepping,
  platform: Platform,
  { until, jump }: { until: Date; jump: Jump | undefined },
): Promise<Ran | undefined> {
  const { read } = deps.db
  if (jump) await learnOfTaken(read, platform.id, jump)
  const now = deps.clock.now()
  const { wireBrand } = deps.settings
  const lease = { now, leasedUntil: addMs(now, LEASE_MS), wireBrand }
  const attempt = await holdFirstAttempt(read, platform.id, { until, ...lease })
  if (!attempt) return findTaken(read, platform.id, { until, jump })
  const { eventId, dueAt } = attempt
  const at = jump && jump.startedAt > dueAt ? jump.startedAt : dueAt
  const outcome = await makeAttempt(deps, attempt, { at, hungUrls: jump?.hungUrls })
  return ranAttempt({ eventId, dueAt }, await record(outcome))
}

const ranAttempt = ({ eventId, dueAt }: Omit<WaitingAttempt, 'id'>, outcome: string): Ran => ({
  kind: 'attempt',
  name: 'webhooks.attempt',
  id: eventId,
  dueAt,
  outcome,
})

async function findTaken(
  tx: Tx,
  platformId: Id<'platform'>,
  { until, jump }: { until: Date; jump: Jump | undefined },
): Promise<Ran | undefined> {
  const first = await findFirstWaiting(tx, platformId)
  if (!first || first.dueAt > until) return undefined
  if (jump) takenIn.set(jump, first)
  return ranAttempt(first, 'taken')
}
