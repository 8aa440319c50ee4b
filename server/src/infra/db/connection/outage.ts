import type { Log } from '../../logging/log.ts'
import { reasonOf } from './unavailable.ts'

/** What is known of the database being in trouble, and what the log says of it. */
export type Outage = Readonly<{
  /** One use of the database failed because it cannot be reached or cannot serve. */
  failed(error: Error): void
  /** Whether the server refused, within the last seconds, what it must be able to do: write, allocate, read its disk. */
  isRefusing(): boolean
  stop(): void
}>

const CHECK_MS = 1_000
const SAY_AGAIN_MS = 10_000
/** Without a failure for so long it is over; the pollers alone would have met one. */
const OVER_AFTER_MS = 3_000
const REFUSING_MS = 5_000

/**
 * Logs one line when the database fails, one every ten seconds with the number of failures, and one when it answers again,
 * however many requests meet the failure.
 */
export function createOutage(log: Log): Outage {
  const now = (): number => performance.now()
  let begunAt: number | undefined
  let saidAt = 0
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
    } else if (now() - saidAt >= SAY_AGAIN_MS) {
      saidAt = now()
      log.warn({ failures, durationMs: durationMs() }, 'the database is still unavailable')
    }
  }
  return {
    failed(error) {
      failedAt = now()
      if (isRefusal(error)) refusedAt = failedAt
      failures = begunAt === undefined ? 1 : failures + 1
      if (begunAt !== undefined) return
      begunAt = saidAt = failedAt
      log.warn({ reason: reasonOf(causeOf(error)) }, 'the database is unavailable')
      timer = setInterval(check, CHECK_MS).unref()
    },
    isRefusing: () => now() - refusedAt < REFUSING_MS,
    stop: end,
  }
}

const causeOf = (error: Error): unknown => error.cause ?? error

/** The server speaks for itself: a connection that was merely lost says nothing about what it can do. */
function isRefusal(error: Error): boolean {
  const { code } = causeOf(error) as { code?: unknown }
  return typeof code === 'string' && /^(25006|53[12]00|53400|58030)$/.test(code)
}
