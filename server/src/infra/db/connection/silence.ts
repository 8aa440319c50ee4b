import type { PoolClient } from 'pg'

/** The driver's socket; its types do not tell. */
type Connected = PoolClient & Readonly<{ connection: { stream: { destroy(error: Error): void } } }>

type Watch = { open: number; limitMs: number; untilMs: number; timer?: NodeJS.Timeout }

const watches = new WeakMap<PoolClient, Watch>()
const LOOK_EVERY_MS = 1_000

/**
 * Ends a connection whose server does not answer in time; those who wait hear that it is lost. The answer to be called
 * once the server has answered. One timer a connection: with one a statement, as the driver has it, V8 finds what was
 * sent still held when it collects, and keeps it as old (decision 0017).
 */
export function expectAnswer(client: PoolClient, limitMs: number): () => void {
  const watch = watches.get(client) ?? { open: 0, limitMs, untilMs: 0 }
  watches.set(client, watch)
  watch.open += 1
  watch.limitMs = limitMs
  if (watch.open === 1) beginAgain(client, watch)
  return () => {
    watch.open -= 1
    if (watch.open > 0) beginAgain(client, watch)
  }
}

function beginAgain(client: PoolClient, watch: Watch): void {
  watch.untilMs = performance.now() + watch.limitMs
  if (watch.timer) watch.timer.refresh()
  else watch.timer = setTimeout(() => look(client, watch), LOOK_EVERY_MS).unref()
}

function look(client: PoolClient, watch: Watch): void {
  if (watch.open === 0) return
  if (performance.now() < watch.untilMs) watch.timer?.refresh()
  // Of a process that stood still itself, the answer may be there already: it is read before this is judged.
  else setImmediate(() => endIfSilent(client, watch))
}

function endIfSilent(client: PoolClient, watch: Watch): void {
  if (watch.open === 0 || performance.now() < watch.untilMs) return
  ;(client as Connected).connection.stream.destroy(new Error('the server does not answer'))
}
