/** What has to be tidied up for the whole installation, by real time; what a platform keeps is pruned by its own jobs. */
import { HOUR_MS } from '../kernel/clock.ts'
import type { Deps } from './deps.ts'
import { pruneBuckets } from './http/edge/rate-limiter.ts'
import { createPoller, type Poller } from './poller.ts'
import { pruneMessages } from './providers/message-rows.ts'
import { pruneCarried } from './logging/tracing/carried-traces.ts'
import { pruneRequests } from './request-log/store.ts'
import { sweepFiles } from './files/stored-files.ts'

const EVERY_MS = HOUR_MS

/** Looks at the start and every hour, in a process that does the background's work. */
export function createHousekeeper(deps: Deps, { inBackground }: { inBackground: boolean }): Poller {
  const { log, db, clock, settings } = deps
  const housekeeper = createPoller({
    look: async () => {
      const swept = await sweepFiles(deps)
      if (swept > 0) log.info({ swept }, 'removed files that nothing keeps')
      await pruneBuckets(db, clock.now())
      await pruneMessages(db, clock.now())
      await pruneRequests(db, settings, clock.now())
      await pruneCarried(db, clock.now())
    },
    everyMs: inBackground ? EVERY_MS : undefined,
    log,
    idle: () => true,
  })
  housekeeper.wake()
  return housekeeper
}
