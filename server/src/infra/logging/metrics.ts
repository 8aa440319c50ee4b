import { Counter, Gauge, Histogram, Registry } from './prometheus.ts'
import type { Database } from '../db/database.ts'
import { isUnavailable } from '../db/connection/unavailable.ts'
import { createBusinessCounts, type BusinessCounts } from './business-metrics.ts'

export type Metrics = Readonly<{
  registry: Registry
  counts: BusinessCounts
  requestSeconds: Histogram<'operation' | 'status'>
  ledgerPostings: Counter
  ledgerBatchSize: Histogram
  /** Decisions on authorizations that a provider sent. */
  cardDecisionSeconds: Histogram
  jobs: Counter<'name' | 'outcome'>
  jobLeasesLost: Counter
  /** Registers the gauges of jobs that are due or dead. */
  watchJobs(read: () => Promise<JobQueue>): void
  webhookDeliveries: Counter<'outcome'>
  /** Requests and bodies that the request log left out. */
  requestsDropped: Counter<'what'>
  /** Registers the gauges of events that are not delivered yet. */
  watchWebhooks(read: () => Promise<WebhookBacklog>): void
  /** Registers the counter of spans that were sent to the collector or dropped. */
  watchTraces(read: () => Readonly<{ exported: number; dropped: number }>): void
  /** Registers the gauge of webhook endpoints that have been failing for more than a minute. */
  watchFailingEndpoints(read: () => Promise<number>): void
  /** Registers the gauge of the oldest audit entry that the sink has not got. */
  watchAuditSink(readLagSeconds: () => Promise<number>): void
  /** Registers the gauge of how far this process's clock is ahead of the database's. */
  watchClock(readSkewSeconds: () => Promise<number>): void
  /** Registers the gauge of proposals that wait for a second operator. */
  watchOpenProposals(read: () => Promise<number>): void
  providerCalls: Counter<'provider' | 'port' | 'outcome'>
  providerCallSeconds: Histogram<'provider' | 'port'>
  /** Registers the gauges of providers outside: open orders, exceptions, circuits (PROV-140). */
  watchProviders(read: () => Promise<readonly WatchedProvider[]>): void
}>

/** Jobs that are due or dead, each counted up to a limit per platform. */
export type JobQueue = Readonly<{ due: number; dead: number; oldestDueMs: number }>

/** Events whose delivery is not over, counted up to a limit per platform. */
export type WebhookBacklog = Readonly<{ waiting: number; oldestMs: number }>

/** How a provider outside does, as the gauges show it. */
export type WatchedProvider = Readonly<{
  provider: string
  open: Readonly<Record<string, number>>
  oldestOpenSeconds: number
  exceptionsOpen: number
  isCircuitOpen: boolean
}>

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** One registry of metrics per process, passed as a parameter like every dependency (CORE-84). */
export function createMetrics(db: Database): Metrics {
  const registry = new Registry()
  const registers = [registry]
  watchDatabase(registry, db)
  return {
    registry,
    counts: createBusinessCounts(registry),
    requestSeconds: new Histogram({
      name: 'florin_request_duration_seconds',
      help: 'Duration of requests by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: SECONDS,
      registers,
    }),
    ledgerPostings: new Counter({
      name: 'florin_ledger_postings_total',
      help: 'Postings that the lane has committed.',
      registers,
    }),
    ledgerBatchSize: new Histogram({
      name: 'florin_ledger_batch_size',
      help: 'Commands that shared one commit of the lane.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    cardDecisionSeconds: new Histogram({
      name: 'florin_card_decision_seconds',
      help: 'Time from an authorization of a provider to its answer.',
      buckets: SECONDS,
      registers,
    }),
    jobs: new Counter({
      name: 'florin_jobs_total',
      help: 'Jobs run by name and outcome.',
      labelNames: ['name', 'outcome'],
      registers,
    }),
    jobLeasesLost: new Counter({
      name: 'florin_job_leases_lost_total',
      help: 'Jobs that another runner took over while their call to the outside lasted.',
      registers,
    }),
    watchJobs: (read) => watchTogether(registers, read, JOB_GAUGES),
    watchWebhooks: (read) => watchTogether(registers, read, WEBHOOK_GAUGES),
    watchFailingEndpoints: (read) =>
      void watch(registers, {
        name: 'florin_webhook_endpoints_failing',
        help: 'Webhook endpoints whose attempts have failed for more than a minute.',
        read,
      }),
    watchAuditSink: (read) =>
      void watch(registers, {
        name: 'florin_audit_sink_lag_seconds',
        help: 'For how long the oldest audit entry has waited that the sink has not got.',
        read,
      }),
    watchClock: (read) =>
      void watch(registers, {
        name: 'florin_clock_skew_seconds',
        help: 'How far the clock of this process is ahead of that of the database.',
        read,
      }),
    watchOpenProposals: (read) => watchOpenProposals(registers, read),
    watchTraces: (read) => watchTraces(registers, read),
    ...providerMetrics(registers),
    watchProviders: (read) => watchProviders(registers, read),
    ...countersOf(registers),
  }
}

const countersOf = (
  registers: Registry[],
): Pick<Metrics, 'requestsDropped' | 'webhookDeliveries'> => ({
  requestsDropped: new Counter({
    name: 'florin_request_log_dropped_total',
    help: 'Requests that are not in the request log, or without their body, because too many came at once.',
    labelNames: ['what'],
    registers,
  }),
  webhookDeliveries: new Counter({
    name: 'florin_webhook_deliveries_total',
    help: 'Delivery attempts by outcome.',
    labelNames: ['outcome'],
    registers,
  }),
})

function watchDatabase(registry: Registry, db: Database): void {
  const registers = [registry]
  const pool = new Gauge({
    name: 'florin_database_connections',
    help: 'Connections of the pool by state.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(db.stats())) this.set({ state }, count)
    },
  })
  registry.registerMetric(pool)
  const retries = new Counter({
    name: 'florin_database_retries_total',
    help: 'Transactions that were run again because another one was in their way.',
    registers,
    collect() {
      this.reset()
      this.inc(db.retries())
    },
  })
  registry.registerMetric(retries)
}

function watchTraces(registers: Registry[], read: () => Record<string, number>): void {
  void new Counter({
    name: 'florin_trace_spans_total',
    help: 'Spans by outcome: exported to the collector, or dropped because it did not take them in time.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(read())) this.inc({ outcome }, count)
    },
  })
}

function watchOpenProposals(registers: Registry[], read: () => Promise<number>): void {
  watch(registers, {
    name: 'florin_proposals_open',
    help: 'Proposals of operators that wait for a second one.',
    read,
  })
}

const providerMetrics = (
  registers: Registry[],
): Pick<Metrics, 'providerCalls' | 'providerCallSeconds'> => ({
  providerCalls: new Counter({
    name: 'florin_provider_calls_total',
    help: 'Calls to providers by outcome: answered or unknown.',
    labelNames: ['provider', 'port', 'outcome'],
    registers,
  }),
  providerCallSeconds: new Histogram({
    name: 'florin_provider_call_seconds',
    help: 'Duration of calls to providers.',
    labelNames: ['provider', 'port'],
    buckets: SECONDS,
    registers,
  }),
})

const CIRCUIT_OPEN = 2

/** All gauges of one scrape share one reading; nothing is shown while the database does not answer. */
function watchProviders(
  registers: Registry[],
  read: () => Promise<readonly WatchedProvider[]>,
): void {
  let reading: Promise<readonly WatchedProvider[]> | undefined
  const load = (): Promise<readonly WatchedProvider[]> => {
    reading ??= read()
      .catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
        return []
      })
      .finally(() => (reading = undefined))
    return reading
  }
  const gauge = (
    name: string,
    help: string,
    show: (gauge: Gauge<'provider' | 'state'>, one: WatchedProvider) => void,
  ): Gauge<'provider' | 'state'> =>
    new Gauge({
      name: `florin_provider_${name}`,
      help,
      labelNames: ['provider', 'state'],
      registers,
      async collect() {
        const found = await load()
        this.reset()
        for (const one of found) show(this, one)
      },
    })
  gauge('orders_open', 'Open orders by state.', (shown, { provider, open }) => {
    for (const [state, count] of Object.entries(open)) shown.set({ provider, state }, count)
  })
  gauge('oldest_open_order_seconds', 'Age of the oldest open order.', (shown, one) =>
    shown.set({ provider: one.provider }, one.oldestOpenSeconds),
  )
  gauge('exceptions_open', 'Exceptions that wait for an operator.', (shown, one) =>
    shown.set({ provider: one.provider }, one.exceptionsOpen),
  )
  gauge('circuit', '0 closed, 2 open: nothing is sent.', (shown, one) =>
    shown.set({ provider: one.provider }, one.isCircuitOpen ? CIRCUIT_OPEN : 0),
  )
}

type Watched = Readonly<{ name: string; help: string; read: () => Promise<number> }>

/** A figure that is read when metrics are asked for; not a number while the database does not answer. */
const watch = (registers: Registry[], { name, help, read }: Watched): Gauge =>
  new Gauge({
    name,
    help,
    registers,
    async collect() {
      const value = await read().catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
        return NaN
      })
      this.set(value)
    },
  })

type Part<T> = Readonly<{ name: string; help: string; of: (reading: T) => number }>

const JOB_GAUGES: readonly Part<JobQueue>[] = [
  {
    name: 'florin_jobs_oldest_due_seconds',
    help: 'For how long the longest overdue job has been due.',
    of: ({ oldestDueMs }) => oldestDueMs / 1_000,
  },
  { name: 'florin_jobs_due', help: 'Jobs that are due and not done.', of: ({ due }) => due },
  { name: 'florin_jobs_dead', help: 'Jobs that wait for an operator.', of: ({ dead }) => dead },
]

const WEBHOOK_GAUGES: readonly Part<WebhookBacklog>[] = [
  {
    name: 'florin_webhook_backlog',
    help: 'Events that are not delivered yet.',
    of: ({ waiting }) => waiting,
  },
  {
    name: 'florin_webhook_oldest_undelivered_seconds',
    help: 'Age of the oldest event that is not delivered yet.',
    of: ({ oldestMs }) => oldestMs / 1_000,
  },
]

/** Several scrapers cost no more than one. */
const READING_MS = 5_000

/** Figures that one statement reads together, at most every few seconds. */
function watchTogether<T>(
  registers: Registry[],
  read: () => Promise<T>,
  parts: readonly Part<T>[],
): void {
  let reading: Promise<T> | undefined
  let readAt = -Infinity
  const load = (): Promise<T> => {
    if (reading && performance.now() - readAt < READING_MS) return reading
    readAt = performance.now()
    reading = read()
    reading.catch(() => (reading = undefined))
    return reading
  }
  for (const { of, ...names } of parts) {
    watch(registers, { ...names, read: async () => of(await load()) })
  }
}
