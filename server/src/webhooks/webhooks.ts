import type { Deps } from '../infra/deps.ts'
import type { DueSource } from '../infra/jobs/due-source.ts'
import type { Metrics } from '../infra/logging/metrics.ts'
import { createDeliverer } from './delivery/deliver.ts'
import { createDispatcher } from './queue/dispatch.ts'

export type Webhooks = DueSource &
  Readonly<{
    /** Starts a poll now, because there may be something to send. */
    wake(): void
    stop(): Promise<void>
  }>

export type WebhooksOptions = Readonly<{
  deps: Deps
  metrics?: Metrics
  /** Without a worker, this process sends only attempts that come due while a clock is moved. */
  inBackground: boolean
}>

/** Delivers events to platforms: numbers them after their commit and sends them, in this and every other process. */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const deliverer = createDeliverer(options)
  const dispatcher = createDispatcher({ ...options, dispatched: () => deliverer.wake() })
  return {
    nextDueAt: (platformId) => deliverer.nextDueAt(platformId),
    runNext: (platform, until, jump) => deliverer.runNext(platform, until, jump),
    wake: () => dispatcher.wake(),
    async stop() {
      await dispatcher.stop()
      await deliverer.stop()
    },
  }
}
