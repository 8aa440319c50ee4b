import { addMs, HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import type { WatchedProvider } from '../../infra/logging/metrics.ts'
import { isUnavailable } from '../../infra/db/connection/unavailable.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { DueSource, Jump, Ran } from '../../infra/jobs/due-source.ts'
import { createPoller, type Poller } from '../../infra/poller.ts'
import type { OrderDeps } from '../with-order.ts'
import { claimOrders, findDueProviders, findNextDue, type Claimed } from './claim.ts'
import { readFigures } from './figures.ts'
import { createCallCounter } from './count-calls.ts'
import { deleteOldCalls } from './health.ts'
import { runAttempt } from './run-attempt.ts'
import { createBatchRunner } from './batch-steps.ts'

const POLL_MS = 500
const PRUNE_MS = HOUR_MS

/** Sends due orders and asks providers for them; shares the work with every other process on this database. */
export function createSender(
  given: OrderDeps,
  { inBackground }: Readonly<{ inBackground: boolean }>,
): DueSource & Poller {
  const { deps } = given
  const orders = {
    ...given,
    countCall: createCallCounter(deps.db),
    runBatched: createBatchRunner(given),
  }
  const running = new Set<Id<'order'>>()
  let prunedAt = deps.clock.now()
  orders.metrics?.watchProviders(() => watchedProviders(deps))

  const start = (providerId: Id<'provider'>, claimed: Claimed): void => {
    const provider = deps.providers.find(providerId)
    const { id } = claimed.order
    if (!provider) return
    running.add(id)
    void runAttempt(orders, { provider, claimed, when: {} })
      .catch((error: unknown) => {
        if (!isUnavailable(error)) {
          deps.log.error({ err: error, orderId: id }, 'attempt of an order failed')
        }
      })
      .finally(() => {
        running.delete(id)
        poller.wake()
      })
  }
  /** Claims for each provider separately, so that one that hangs delays no other's orders (PROV-143). */
  const look = async (): Promise<void> => {
    const now = deps.clock.now()
    if (addMs(prunedAt, PRUNE_MS) <= now) {
      prunedAt = now
      await deleteOldCalls(deps.db.read, now)
    }
    const due = await findDueProviders(deps.db.read, now)
    await Promise.all(
      due.map(async (providerId) => {
        const provider = deps.providers.find(providerId)
        if (!provider) return
        const claimed = await claimOrders(deps.db, provider, { now })
        for (const one of claimed) start(providerId, one)
      }),
    )
  }
  const poller = createPoller({
    look,
    everyMs: inBackground ? POLL_MS : undefined,
    log: deps.log,
    idle: () => running.size === 0,
  })
  return {
    wake: () => poller.wake(),
    stop: () => poller.stop(),
    nextDueAt: async (platformId) => (await findNextDue(deps.db.read, platformId))?.dueAt,
    runNext: (platform, until, jump) => runNext(orders, platform, { until, jump }),
  }
}

/** Runs the platform's earliest due order, at the time at which it was due. */
async function runNext(
  orders: OrderDeps,
  platform: Platform,
  { until, jump }: Readonly<{ until: Date; jump: Jump | undefined }>,
): Promise<Ran | undefined> {
  const { deps } = orders
  const next = await findNextDue(deps.db.read, platform.id)
  if (!next || next.dueAt > until) return undefined
  const ran = {
    kind: 'attempt',
    name: 'orders.attempt',
    id: next.id,
    dueAt: next.dueAt,
  } as const
  const provider = deps.providers.find(next.providerId)
  const of = { platformId: platform.id, until: next.dueAt }
  const [claimed] = provider
    ? await claimOrders(deps.db, provider, { now: deps.clock.now(), of, limit: 1 })
    : []
  if (!provider || !claimed) return { ...ran, outcome: 'taken' }
  const now = jump && jump.startedAt > claimed.dueAt ? jump.startedAt : claimed.dueAt
  const when = { now, hungUrls: jump?.hungUrls }
  return { ...ran, outcome: await runAttempt(orders, { provider, claimed, when }) }
}

async function watchedProviders(deps: Deps): Promise<WatchedProvider[]> {
  const now = deps.clock.now()
  const figures = await readFigures(deps.db.read)
  return figures.map(({ providerId, open, oldestOpenAt, exceptionsOpen, circuit }) => ({
    provider: deps.providers.find(providerId)?.name ?? providerId,
    open,
    oldestOpenSeconds: oldestOpenAt ? (now.getTime() - oldestOpenAt.getTime()) / SECOND_MS : 0,
    exceptionsOpen,
    isCircuitOpen: circuit === 'OPEN',
  }))
}
