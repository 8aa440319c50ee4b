import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { isReadOnly, type DatabaseHosts } from './hosts.ts'

export type Probe = Readonly<{
  /** Whether the database answers within half a second and accepts writes. Concurrent callers share one check. */
  check(): Promise<boolean>
  close(): Promise<void>
}>

const LIMIT_MS = 500

/** Checks on a separate connection, because one of the pool would have to be waited for behind the requests. */
export function createProbe(hosts: DatabaseHosts): Probe {
  let client: pg.Client | undefined
  let checking: Promise<boolean> | undefined

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
  const isWritable = async (): Promise<boolean> => !(await isReadOnly(client ?? (await connect())))

  const isWritableInTime = async (): Promise<boolean> => {
    const over = new AbortController()
    const limit = delay(LIMIT_MS, false, { signal: over.signal }).catch(() => false)
    const isServing = await Promise.race([isWritable().catch(() => false), limit])
    over.abort()
    if (isServing) return true
    drop(client)
    // The next check goes to the host that accepts writes by then.
    if (hosts.isSeveral) void hosts.findWritable()
    return false
  }
  return {
    check: () => (checking ??= isWritableInTime().finally(() => (checking = undefined))),
    async close() {
      const last = client
      client = undefined
      await last?.end()
    },
  }
}
