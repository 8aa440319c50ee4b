import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const WATCH_MS = 1_000
const BUSY_FROM = 0.1

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void

/**
 * Gives back what loading and compiling have left, which V8 keeps for as long as nothing else is allocated. It stops the
 * process for some tens of milliseconds, so one that is busy is left alone.
 */
export async function releaseMemory(): Promise<void> {
  const before = performance.eventLoopUtilization()
  await pause(WATCH_MS, undefined, { ref: false })
  if (performance.eventLoopUtilization(before).utilization >= BUSY_FROM) return
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', flavor: 'last-resort' })
}
