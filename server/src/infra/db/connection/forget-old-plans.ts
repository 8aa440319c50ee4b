import type { PoolClient } from 'pg'

const FIRST_MS = 1_000
const LONGEST_MS = 1_024_000

type Schedule = Readonly<{ dueAtMs: number; everyMs: number }>

const schedules = new WeakMap<object, Schedule>()

/**
 * Discards the plans of a connection at growing intervals. A plan is made for the present size of its tables and kept:
 * one made while a table was nearly empty scans it for each key, until the server's next analyze, which can be minutes
 * away. The intervals grow because planning takes time as well.
 */
export function forgetOldPlans(
  client: Pick<PoolClient, 'query'>,
  nowMs: number = performance.now(),
): void {
  const { dueAtMs, everyMs } = schedules.get(client) ?? plan(client, { nowMs, everyMs: FIRST_MS })
  if (nowMs < dueAtMs) return
  plan(client, { nowMs, everyMs: everyMs < LONGEST_MS ? everyMs * 2 : LONGEST_MS })
  // Not awaited: it is sent with the next statement, which also fails if the connection is lost.
  client.query('discard plans').catch(() => undefined)
}

function plan(client: object, { nowMs, everyMs }: { nowMs: number; everyMs: number }): Schedule {
  const schedule = { dueAtMs: nowMs + everyMs, everyMs }
  schedules.set(client, schedule)
  return schedule
}
