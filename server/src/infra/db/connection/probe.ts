import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { isReadOnly, type DatabaseHosts } from './hosts.ts'

export type Probe = Readonly<{
  /** Whether the database answers within half a second and takes writes. Those who ask at once share one question. */
  check(): Promise<boolean>
  close(): Promise<void>
}>

const LIMIT_MS = 500

/** Asks on a connection of its own: one of the pool would be waited for behind the requests. */
export function createProbe(hosts: DatabaseHosts): Probe {
  let client: pg.Client | undefined
  let asking: Promise<boolean> | undefined

  const connect = async (): Promise<pg.Client> => {
    const next = new pg.Client({
      connectionString: hosts.current(),
      connectionTimeoutMillis: LIMIT_MS,
      query_timeout: LIMIT_MS,
      keepAlive: true,
    })
    next.on('error', () => drop(next))
    next.on('end', () => drop(next))
    client = next
    await next.connect()
    return next
  }
  const drop = (one: pg.Client | undefined): void => {
    if (one === undefined || client !== one) return
    client = undefined
    one.end().catch(() => undefined)
  }
  const ask = async (): Promise<boolean> => !(await isReadOnly(client ?? (await connect())))

  const askInTime = async (): Promise<boolean> => {
    const over = new AbortController()
    const limit = delay(LIMIT_MS, false, { signal: over.signal }).catch(() => false)
    const isWell = await Promise.race([ask().catch(() => false), limit])
    over.abort()
    if (isWell) return true
    drop(client)
    // The next question goes to the host that takes writes by then.
    if (hosts.isSeveral) void hosts.findWritable()
    return false
  }
  return {
    check: () => (asking ??= askInTime().finally(() => (asking = undefined))),
    async close() {
      const last = client
      client = undefined
      await last?.end()
    },
  }
}
