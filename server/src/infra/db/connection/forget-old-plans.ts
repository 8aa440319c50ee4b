import type { PoolClient } from 'pg'

const FIRST_MS = 1_000
const LONGEST_MS = 1_024_000

type Schedule = Readonly<{ dueAtMs: number; everyMs: number }>

const schedules = new WeakMap<object, Schedule>()

/**
 * A plan is made for tables of the size they have then, and kept. One made while a table was nearly empty reads all of
 * it for each key, and would go on doing so until the server next counts its rows, which can take minutes of growing.
 * So a connection forgets its plans: soon after it began, then ever more seldom, since planning takes time as well.
 */
export function forgetOldPlans(
  client: Pick<PoolClient, 'query'>,
  nowMs: number = performance.now(),
): void {
  const { dueAtMs, everyMs } = schedules.get(client) ?? plan(client, { nowMs, everyMs: FIRST_MS })
  if (nowMs < dueAtMs) return
  plan(client, { nowMs, everyMs: everyMs < LONGEST_MS ? everyMs * 2 : LONGEST_MS })
  // Not waited for: it travels with the next statement, which also hears if the connection is lost.
  client.query('discard plans').catch(() => undefined)
}

function plan(client: object, { nowMs, everyMs }: { nowMs: number; everyMs: number }): Schedule {
  const schedule = { dueAtMs: nowMs + everyMs, everyMs }
  schedules.set(client, schedule)
  return schedule
}
