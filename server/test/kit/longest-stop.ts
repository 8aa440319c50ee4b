import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

const TRIES = 12
const SAMPLE_MS = 2

/**
 * For how many milliseconds the event loop of this process stood still at most while something ran. The least of
 * several tries, of which no more are made than one that is below `limitMs`: what another program on the machine takes
 * away is not counted against ours.
 */
export async function longestStop(limitMs: number, run: () => Promise<void>): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < TRIES && least >= limitMs; tries += 1) {
    const monitor = monitorEventLoopDelay({ resolution: SAMPLE_MS })
    monitor.enable()
    // The first sample begins the measure, the last one ends it.
    await delay(2 * SAMPLE_MS)
    monitor.reset()
    await run()
    await delay(2 * SAMPLE_MS)
    monitor.disable()
    least = Math.min(least, monitor.max / 1e6)
  }
  return least
}
