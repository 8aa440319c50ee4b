/** Chains audit entries after their commit: a counter in the business transaction would make payments queue (OPER-50). */
import { SECOND_MS } from '../../kernel/clock.ts'
import type { Deps } from '../../infra/deps.ts'
import { createPoller, type Poller } from '../../infra/poller.ts'
import * as store from './chain-store.ts'

/** An entry is chained within 5 s of its commit, and the more wait the less each costs. */
const EVERY_MS = 2 * SECOND_MS
const BATCH_ROWS = 500

export function createChainWorker(
  deps: Deps,
  { inBackground }: Readonly<{ inBackground: boolean }>,
): Poller {
  return createPoller({
    look: () => chainPending(deps),
    everyMs: inBackground ? EVERY_MS : undefined,
    log: deps.log,
    idle: () => true,
  })
}

/** Until nothing waits, or another process is at it. */
export async function chainPending(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  while ((await store.hasPending(deps.db.read)) && (await chainBatch(deps))) continue
}

const chainBatch = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await store.lockChains(tx))) return false
    await store.chainQueued(tx, { limit: BATCH_ROWS, now: clock.now() })
    return true
  })
