import type { PoolClient } from 'pg'

/** The driver's socket, which its types do not show. */
type Connected = PoolClient & Readonly<{ connection: { stream: { destroy(error: Error): void } } }>

type Watch = { open: number; limitMs: number; untilMs: number; timer?: NodeJS.Timeout }

const watches = new WeakMap<PoolClient, Watch>()
const CHECK_MS = 1_000

/**
 * Ends a connection whose server does not answer in time, so that its statements fail. Call the returned function once
 * the server has answered. One timer per connection: with one per statement, as the driver has it, V8 finds sent
 * statements still referenced when it collects, and promotes them to the old generation (decision 0017).
 */
export function expectAnswer(client: PoolClient, limitMs: number): () => void {
  const watch = watches.get(client) ?? { open: 0, limitMs, untilMs: 0 }
  watches.set(client, watch)
  watch.open += 1
  watch.limitMs = limitMs
  if (watch.open === 1) restart(client, watch)
  return () => {
    watch.open -= 1
    if (watch.open > 0) restart(client, watch)
  }
}

function restart(client: PoolClient, watch: Watch): void {
  watch.untilMs = performance.now() + watch.limitMs
  if (watch.timer) watch.timer.refresh()
  else watch.timer = setTimeout(() => check(client, watch), CHECK_MS).unref()
}

function check(client: PoolClient, watch: Watch): void {
  if (watch.open === 0) return
  if (performance.now() < watch.untilMs) watch.timer?.refresh()
  // If this process itself was paused, the answer may have arrived already: it is read first.
  else setImmediate(() => endIfSilent(client, watch))
}

function endIfSilent(client: PoolClient, watch: Watch): void {
  if (watch.open === 0 || performance.now() < watch.untilMs) return
  ;(client as Connected).connection.stream.destroy(new Error('the server does not answer'))
}
