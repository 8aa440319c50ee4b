import type { Log } from '../../logging/log.ts'
import { reasonOf } from './unavailable.ts'

/** Tracks failures of the database and logs outages. */
export type Outage = Readonly<{
  /** Records that the database could not be reached or could not serve. */
  failed(error: Error): void
  /** Whether the server was unable to write, allocate memory or read its disk within the last seconds. */
  isRefusing(): boolean
  stop(): void
}>

const CHECK_MS = 1_000
const LOG_INTERVAL_MS = 10_000
/** An outage is over after so long without a failure; the pollers alone would have caused one. */
const OVER_AFTER_MS = 3_000
const REFUSING_MS = 5_000

/**
 * Logs one line when the database fails, one every ten seconds with the number of failures, and one when it answers
 * again, however many requests fail.
 */
export function createOutage(log: Log): Outage {
  const now = (): number => performance.now()
  let begunAt: number | undefined
  let loggedAt = 0
  let failedAt = 0
  let refusedAt = -Infinity
  let failures = 0
  let timer: NodeJS.Timeout | undefined

  const durationMs = (): number => Math.round(now() - (begunAt ?? now()))
  const end = (): void => {
    clearInterval(timer)
    begunAt = undefined
  }
  const check = (): void => {
    if (now() - failedAt >= OVER_AFTER_MS) {
      log.info({ failures, durationMs: durationMs() }, 'the database answers again')
      end()
    } else if (now() - loggedAt >= LOG_INTERVAL_MS) {
      loggedAt = now()
      log.warn({ failures, durationMs: durationMs() }, 'the database is still unavailable')
    }
  }
  return {
    failed(error) {
      failedAt = now()
      if (isRefusal(error)) refusedAt = failedAt
      failures = begunAt === undefined ? 1 : failures + 1
      if (begunAt !== undefined) return
      begunAt = loggedAt = failedAt
      log.warn({ reason: reasonOf(causeOf(error)) }, 'the database is unavailable')
      timer = setInterval(check, CHECK_MS).unref()
    },
    isRefusing: () => now() - refusedAt < REFUSING_MS,
    stop: end,
  }
}

const causeOf = (error: Error): unknown => error.cause ?? error

/** Whether the server itself reported that it cannot serve; a lost connection says nothing about the server. */
function isRefusal(error: Error): boolean {
  const { code } = causeOf(error) as { code?: unknown }
  return typeof code === 'string' && /^(25006|53[12]00|53400|58030)$/.test(code)
}
