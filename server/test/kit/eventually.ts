import { setTimeout as delay } from 'node:timers/promises'

const STEP_MS = 10
/** What was waited for long is asked for less often: most checks send a request or a query. */
const STEP_PER_WAITED = 1 / 10
const STEP_MS_MAX = 100

/** Waits until the check passes: for what happens in the background, by real time, soon. Long, for a busy machine. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 20_000): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    try {
      return await check()
    } catch (error) {
      const waitedMs = performance.now() - startedAt
      if (waitedMs > withinMs) throw error
      await delay(Math.min(STEP_MS_MAX, Math.max(STEP_MS, waitedMs * STEP_PER_WAITED)))
    }
  }
}
