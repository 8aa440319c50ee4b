import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from './db/connection/unavailable.ts'
import type { Log } from './logging/log.ts'

export type Poller = Readonly<{
  /** Look now, or once more if a look is under way. */
  wake(): void
  /** No further look; resolves when nothing is running any more. */
  stop(): Promise<void>
}>

export type PollerOptions = Readonly<{
  look: () => Promise<void>
  /** Undefined in a process that leaves the background to others: it never looks. */
  everyMs: number | undefined
  log: Log
  /** Whether what earlier looks started has ended. */
  idle: () => boolean
}>

const STOP_CHECK_MS = 20

/** Looks whenever it is woken, and every so often anyway. Never two looks at once. */
export function createPoller({ look, everyMs, log, idle }: PollerOptions): Poller {
  let stopped = everyMs === undefined
  let looking = false
  let again = false

  const wake = (): void => {
    if (stopped) return
    if (looking) {
      again = true
      return
    }
    looking = true
    // After all that ended in this turn: one look finds what many wakes are for.
    setImmediate(() => void run())
  }
  const run = async (): Promise<void> => {
    try {
      await look()
    } catch (error) {
      if (!isUnavailable(error)) log.error({ err: error }, 'poller failed')
    }
    looking = false
    if (!again) return
    again = false
    wake()
  }
  const timer = everyMs === undefined ? undefined : setInterval(wake, everyMs).unref()
  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      while (looking || !idle()) await delay(STOP_CHECK_MS)
    },
  }
}
