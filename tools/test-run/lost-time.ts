import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

type Ticks = Readonly<{ all: number; stolen: number }>

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; guests are counted in user. */
function readTicks(): Ticks | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
    return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 }
  } catch {
    return undefined
  }
}

/** The share of the processor that the host of a virtual machine takes; 0 where the system does not say. */
function watchStolen(): () => number {
  const before = readTicks()
  return () => {
    const after = readTicks()
    if (!before || !after || after.all === before.all) return 0
    return (after.stolen - before.stolen) / (after.all - before.all)
  }
}

const TICK_MS = 50
/** A process with little to do gets its turn within this time, however busy the others are. */
const LATE_MS = 250

/** The share of time by which a timer comes too late, since the whole machine stood still. */
function watchStandstill(): () => number {
  const startMs = performance.now()
  let [tickedMs, lateMs] = [startMs, 0]
  const look = (): void => {
    const late = performance.now() - tickedMs - TICK_MS
    tickedMs = performance.now()
    if (late > LATE_MS) lateMs += late
  }
  const timer = setInterval(look, TICK_MS).unref()
  return () => {
    clearInterval(timer)
    look()
    return lateMs / (performance.now() - startMs)
  }
}

/** The share of its time that the machine loses from now on until the answer is asked for. */
export function watchLost(): () => number {
  const [stolen, standstill] = [watchStolen(), watchStandstill()]
  return () => Math.max(stolen(), standstill())
}
