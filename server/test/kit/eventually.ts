import { setTimeout as delay } from 'node:timers/promises'

const STEP_MS = 10

/** Waits until the check passes: for what happens in the background, by real time, soon. Long, for a busy machine. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 20_000): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() - startedAt > withinMs) throw error
      await delay(STEP_MS)
    }
  }
}
