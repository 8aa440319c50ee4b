import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS, systemClock, type Clock } from '../kernel/clock.ts'
import type { Platform } from '../kernel/platform.ts'
import { createCallers } from '../infra/callers.ts'
import { openDatabase, type Database, type DatabaseTimeouts } from '../infra/db/database.ts'
import { readClockSkew } from '../infra/db/clock-skew.ts'
import type { Deps } from '../infra/deps.ts'
import { openFileStore } from '../infra/files/files.ts'
import {
  createAnonymousLimiter,
  type AnonymousLimiter,
} from '../infra/http/edge/anonymous-limiter.ts'
import { createFailureWindow, type FailureWindow } from '../infra/http/edge/failure-window.ts'
import {
  createFailedAuthLimiter,
  createRateLimiter,
  type RateLimiter,
} from '../infra/http/edge/rate-limiter.ts'
import { createRefusedTokens, type RefusedTokens } from '../infra/http/edge/refused-tokens.ts'
import { createHttpServer } from '../infra/http/server.ts'
import { createClocks } from '../infra/jobs/advance-clock.ts'
import { isTaken } from '../infra/jobs/due-source.ts'
import { createJobRunner, type JobRunner } from '../infra/jobs/job-runner.ts'
import type { Log } from '../infra/logging/log.ts'
import { createMetrics, type Metrics } from '../infra/logging/metrics.ts'
import type { Settings } from '../infra/settings/settings.ts'
import { keyringOf } from '../infra/settings/master-key.ts'
import { createOutgoing } from '../infra/outbound/ssrf.ts'
import { createProviders } from '../infra/providers/registry.ts'
import type { createTracer } from '../infra/logging/tracing/create-tracer.ts'
import type { Tracer } from '../infra/logging/tracing/tracer.ts'
import { createRequestLog } from '../infra/request-log/request-log.ts'
import { createHousekeeper } from '../infra/housekeeper.ts'
import { wireBrand } from '../infra/settings/wire-brand.ts'
import { createLane, type Lane } from '../ledger/lane.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'
import { createSender } from '../orders/index.ts'
import type { AuthorizationRouteDeps } from '../features/cards/index.ts'
import { addHostedPages } from './hosted-pages.ts'
import { addInboundRoutes } from './inbound-routes.ts'
import { jobHandlers } from './job-handlers.ts'
import { operations } from './operations.ts'
import { createAnchors } from '../operator/audit/anchors.ts'
import { createChainWorker } from '../operator/audit/chain-worker.ts'
import { createSinkWorker } from '../operator/audit/sink.ts'
import { orderKinds } from '../operator/commands/providers/order-kinds.ts'
import { countOpen } from '../operator/proposals/store.ts'
import { addProviderFiles } from './provider-files.ts'
import { createReactions } from './reactions.ts'

export type FlorinOptions = Readonly<{
  settings: Settings & { databaseUrl: string; masterKey: string }
  log: Log
  clock?: Clock
  /** Checks every reply against its schema; for tests. */
  checkReplies?: boolean
  /** Replaces the outgoing HTTP; the tests give one with shorter time limits. */
  outgoing?: Deps['outgoing']
  /** Replaces the time limits of the database; the tests give longer ones, since their machine may be busy. */
  databaseTimeouts?: DatabaseTimeouts
  /** False for a process that only serves requests and leaves jobs and webhooks to others. */
  worker?: boolean
}>

/** How long an answer waits for jobs that are due at once (QUOTE-17). */
const SETTLE_MS = 2 * SECOND_MS
const LOOK_AGAIN_MS = 5
const LOOK_AGAIN_MAX_MS = 100

/** Background workers for the whole installation. */
const SERVICE_WORKERS = [createHousekeeper, createChainWorker, createAnchors, createSinkWorker]

/** Wires the whole service in one process: HTTP, lane, jobs, webhooks. */
export async function createFlorin(options: FlorinOptions) {
  const { settings, log, clock = systemClock, worker: inBackground = true } = options
  const { databaseUrl: url, databasePoolSize: poolSize } = settings
  const keyring = keyringOf(settings)
  const outgoing = options.outgoing ?? createOutgoing(settings)
  const tracer = await loadTracer({ settings, outgoing, log, db: () => db })
  const db = openDatabase({ url, poolSize, log, keyring, tracer, ...options.databaseTimeouts })
  const callers = await createCallers(db, clock)
  const providers = await createProviders({ db, log, clock, keyring, settings })
  const reactions = createReactions({ callers })
  const metrics = createMetrics(db)
  const deps: Deps = {
    settings,
    db,
    log,
    clock,
    keyring,
    files: openFileStore({ dataDir: settings.dataDir, keyring }),
    reactions: () => reactions,
    outgoing,
    providers,
    counts: metrics.counts,
    tracer,
    // Background work belongs to no request's trace.
    wake: (what) => outsideTraces(tracer, { jobs, events: webhooks, orders }[what].wake),
    advanceClock: (id, move) => clocks.advance(id, move),
  }
  watch(deps, metrics)
  const jobs = createJobRunner({ deps, handlers: jobHandlers, metrics, inBackground })
  const webhooks = createWebhooks({ deps, metrics, inBackground })
  const orders = createSender({ deps, kinds: orderKinds, metrics }, { inBackground })
  const background = [jobs, webhooks, orders]
  const clocks = createClocks({ deps, sources: background, callers })
  const serviceWorkers = SERVICE_WORKERS.map((make) => make(deps, { inBackground, metrics }))
  const lane = createLane({ deps, metrics })
  const limits = limitersOf(deps)
  const requestLog = createRequestLog(deps, metrics)
  const http = createHttpServer({
    deps,
    brand: wireBrand(settings.wireBrand),
    operations,
    callers,
    metrics,
    requestLog,
    limits,
    checkReplies: options.checkReplies ?? false,
    runDue: (platform) => runDue(deps, jobs, platform),
    advanceClock: ({ id }, move) => clocks.advance(id, move),
    submit: (command, caller, keyed) => lane.submit(command, caller, { keyed }),
  })
  addHostedPages(http, deps)
  addInboundRoutes(http, { deps, wrongCalls: limits, decides: decidesCards(db, lane, metrics) })
  addProviderFiles(http, deps)
  return {
    deps,
    http,
    metrics,
    jobs,
    lane,
    async stop() {
      clocks.stop()
      await http.close()
      await lane.idle()
      await stopAll([...background, ...serviceWorkers, requestLog, tracer])
      Object.values(outgoing).forEach((guarded) => guarded.close())
      await stopAll([callers, providers])
      await db.close()
    },
  }
}

function watch({ db, clock, tracer }: Deps, metrics: Metrics): void {
  metrics.watchOpenProposals(() => countOpen(db.read, clock.now()))
  metrics.watchClock(async () => (await readClockSkew({ db, clock })) / SECOND_MS)
  if (tracer) metrics.watchTraces(tracer.counts)
}

type Stopped = Readonly<{ stop(): Promise<void> }>

const stopAll = (all: readonly (Stopped | undefined)[]): Promise<unknown> =>
  Promise.all(all.map(async (one) => one?.stop()))

const outsideTraces = (tracer: Tracer | undefined, body: () => void): void =>
  tracer ? tracer.within(undefined, body) : body()

type TracerDeps = Parameters<typeof createTracer>[0]

/** The tracer is loaded only where a collector is configured (OPER-140). */
async function loadTracer(deps: TracerDeps): Promise<Tracer | undefined> {
  if (deps.settings.otlpEndpoint === undefined) return undefined
  const { createTracer } = await import('../infra/logging/tracing/create-tracer.ts')
  return createTracer(deps)
}

const decidesCards = (db: Database, lane: Lane, metrics: Metrics): AuthorizationRouteDeps => ({
  db,
  submit: (command, submitter, withinMs) => lane.submit(command, submitter, { withinMs }),
  observe: (seconds) => metrics.cardDecisionSeconds.observe(seconds),
  count: metrics.counts.cardDecision,
})

export type Florin = Awaited<ReturnType<typeof createFlorin>>

/** Slows down guessing of device codes: failed redemptions a minute from one address (AGENT-15). */
const FAILED_CALLS_PER_MINUTE = 30

type Limiters = Readonly<{
  perToken?: RateLimiter
  failedAuth?: RateLimiter
  anonymous?: AnonymousLimiter
  failedCalls: FailureWindow
  refusedTokens: RefusedTokens
}>

function limitersOf(deps: Deps): Limiters {
  const { rateLimitPerSecond, rateLimitBurst } = deps.settings
  const perToken = rateLimitPerSecond > 0 && rateLimitBurst > 0
  const failedAuth = createFailedAuthLimiter(deps)
  const anonymous = deps.settings.rateLimitAnonymousPerSecond
  return {
    refusedTokens: createRefusedTokens(deps),
    failedCalls: createFailureWindow(deps.db, deps.clock, {
      max: FAILED_CALLS_PER_MINUTE,
      windowMs: MINUTE_MS,
    }),
    ...(perToken && {
      perToken: createRateLimiter(deps.db, deps.clock, {
        ratePerSecond: rateLimitPerSecond,
        burst: rateLimitBurst,
      }),
    }),
    ...(failedAuth && { failedAuth }),
    ...(anonymous > 0 && { anonymous: createAnonymousLimiter(anonymous) }),
  }
}

/** Runs the due jobs of a platform for at most two seconds; the background runs the rest. */
async function runDue(deps: Deps, jobs: JobRunner, platform: Platform): Promise<void> {
  const over = new AbortController()
  // A job that waits longer for an endpoint continues in the background.
  const patience = delay(SETTLE_MS, undefined, { signal: over.signal }).catch(() => undefined)
  await Promise.race([runAllDue(deps, jobs, platform), patience])
  over.abort()
}

/** Also runs jobs that these jobs queue. Jobs that the background is running are waited for last. */
async function runAllDue(deps: Deps, jobs: JobRunner, platform: Platform): Promise<void> {
  const startMs = deps.clock.now().getTime()
  let taken: string[] = []
  let waitMs = LOOK_AGAIN_MS
  while (deps.clock.now().getTime() - startMs < SETTLE_MS) {
    const ran = await jobs.runNextDue(platform, taken)
    if (ran) {
      if (isTaken(ran)) taken.push(ran.id)
      continue
    }
    if (taken.length === 0) break
    await delay(waitMs)
    waitMs = Math.min(2 * waitMs, LOOK_AGAIN_MAX_MS)
    taken = []
  }
}
