import { createKeyring } from '../crypto/seal.ts'
import { MINUTE_MS, SECOND_MS, systemClock, type Clock } from '../kernel/clock.ts'
import type { Platform } from '../kernel/platform.ts'
import { createCallers } from '../infra/callers.ts'
import { openDatabase } from '../infra/db/database.ts'
import type { Deps } from '../infra/deps.ts'
import { createRateLimiter, type RateLimiter } from '../infra/http/rate-limiter.ts'
import { createHttpServer } from '../infra/http/server.ts'
import { createJobRunner } from '../infra/jobs/job-runner.ts'
import type { DueSource } from '../infra/jobs/due-source.ts'
import type { Log } from '../infra/log.ts'
import { createMetrics } from '../infra/metrics.ts'
import type { Settings } from '../infra/settings.ts'
import { platformTime } from '../kernel/platform.ts'
import { createLane } from '../ledger/lane.ts'
import { jobHandlers } from './job-handlers.ts'
import { operations } from './operations.ts'
import { createReactions } from './reactions.ts'

export type FlorinOptions = Readonly<{
  settings: Settings & { databaseUrl: string; masterKey: string }
  log: Log
  clock?: Clock
  /** Every reply is held against its schema; the tests turn it on. */
  checkReplies?: boolean
  /** A process that only serves requests leaves the jobs to others. */
  worker?: boolean
}>

/** How long an answer waits for work that is due at once (QUOTE-17). */
const SETTLE_MS = 2 * SECOND_MS

/** The whole service in one process: HTTP, lane, jobs, webhooks, wired together. Nothing else wires anything. */
export async function createFlorin(options: FlorinOptions) {
  const { settings, log } = options
  const db = openDatabase({
    url: settings.databaseUrl,
    poolSize: settings.databasePoolSize,
    onError: (error) => log.warn({ err: error }, 'database connection'),
  })
  const clock = options.clock ?? systemClock
  const callers = await createCallers(db, clock)
  const deps: Deps = {
    settings,
    db,
    log,
    clock,
    keyring: createKeyring(settings.masterKey),
    reactions: createReactions({ callers }),
  }
  const metrics = createMetrics(db)
  const jobs = createJobRunner({ deps, handlers: jobHandlers, metrics })
  const lane = createLane({ deps, metrics, afterBatch: () => jobs.wake() })
  const sources: readonly DueSource[] = [jobs]
  const http = createHttpServer({
    deps,
    operations,
    callers,
    metrics,
    limits: limitersOf(deps),
    checkReplies: options.checkReplies ?? false,
    runDue: (platform) => runDue(deps, sources, platform),
    submit: (command, caller, keyed) => lane.submit(command, caller, keyed),
  })
  return {
    deps,
    http,
    metrics,
    jobs,
    lane,
    async stop() {
      await http.close()
      await lane.idle()
      await jobs.stop()
      await callers.stop()
      await db.close()
    },
  }
}

export type Florin = Awaited<ReturnType<typeof createFlorin>>

function limitersOf(deps: Deps): { perToken?: RateLimiter; failedAuth?: RateLimiter } {
  const { rateLimitPerSecond, rateLimitBurst, rateLimitFailedAuthPerMinute } = deps.settings
  const perToken = rateLimitPerSecond > 0 && rateLimitBurst > 0
  const failedAuth = rateLimitFailedAuthPerMinute
  return {
    ...(perToken && {
      perToken: createRateLimiter(deps.db, deps.clock, {
        ratePerSecond: rateLimitPerSecond,
        burst: rateLimitBurst,
      }),
    }),
    ...(failedAuth > 0 && {
      failedAuth: createRateLimiter(deps.db, deps.clock, {
        ratePerSecond: failedAuth / (MINUTE_MS / SECOND_MS),
        burst: failedAuth,
      }),
    }),
  }
}

/** Runs what is due for a platform by now, for at most two seconds; what remains is the durable jobs' own. */
async function runDue(
  deps: Deps,
  sources: readonly DueSource[],
  platform: Platform,
): Promise<void> {
  const startMs = deps.clock.now().getTime()
  const until = platformTime(platform, deps.clock.now())
  for (const source of sources) {
    while (deps.clock.now().getTime() - startMs < SETTLE_MS) {
      const ran = await source.runNext(platform, until)
      if (!ran || ran.outcome === 'taken') break
    }
  }
}
