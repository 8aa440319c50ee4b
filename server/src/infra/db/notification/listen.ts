import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { askListeners } from './ask-listeners.ts'
import type { DatabaseHosts } from '../connection/hosts.ts'
import { DatabaseUnavailable } from '../connection/unavailable.ts'

export type Listening = Readonly<{
  /** Whether notifications arrive at present. */
  isLive(): boolean
  /**
   * Resolves when all listeners of the channel have handled the notifications up to now; at the latest after `withinMs`.
   */
  heardByAll(limit: { withinMs: number }): Promise<void>
  stop(): Promise<void>
}>

type Options = Readonly<{
  hosts: DatabaseHosts
  channel: string
  heard: (payload: string) => void
  onError: (error: Error) => void
}>

const RECONNECT_MS = 500
const CONNECT_TIMEOUT_MS = 3_000
/** At the start no request waits yet, and the machine may be busy starting everything else as well. */
const FIRST_TIMEOUT_MS = 30_000
/** A network that drops packets closes no connection: only a query without an answer shows the loss. */
const CHECK_MS = 5_000
const CHECK = { text: 'select', query_timeout: 3_000 }

const clientOf = (address: string, limitMs: number): pg.Client =>
  new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    keepAlive: true,
  })

/** Not awaited: a host that hangs does not close the connection either. */
function endSoon(client: pg.Client): void {
  client.end().catch(() => undefined)
}

/**
 * Listens on a separate connection and reconnects when the database restarts. Notifications in between are lost, so
 * `heard` is called with an empty payload, which means "read again", when the connection is lost and when it is back.
 */
export async function listen({ hosts, channel, heard, onError }: Options): Promise<Listening> {
  let stopped = false
  let client: pg.Client | undefined
  const listeners = askListeners({ channel, client: () => client })

  const lost = (one: pg.Client, error?: Error): void => {
    if (error && !stopped) onError(error)
    if (client !== one || stopped) return
    client = undefined
    endSoon(one)
    heard('')
    void reconnect()
  }

  const connect = async (limitMs: number): Promise<void> => {
    const address = hosts.current()
    const next = clientOf(address, limitMs)
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next))
    next.on('notification', ({ payload = '' }) => {
      if (!listeners.receive(next, payload)) heard(payload)
    })
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      await listeners.join(next)
      if (stopped || address !== hosts.current())
        throw new Error('Stopped, or led to another host, while it connected')
    } catch (error) {
      endSoon(next)
      throw error
    }
    client = next
  }

  const reconnect = async (): Promise<void> => {
    while (!stopped) {
      await delay(RECONNECT_MS, undefined, { ref: false })
      try {
        await connect(CONNECT_TIMEOUT_MS)
        heard('')
        return
      } catch (error) {
        if (!stopped) onError(error as Error)
      }
    }
  }

  const check = (): void => {
    const asked = client
    asked?.query(CHECK).catch((error: Error) => lost(asked, error))
  }

  // A host that no longer accepts writes sends no notifications.
  hosts.onChange(() => client && endSoon(client))
  await connect(FIRST_TIMEOUT_MS).catch((error: unknown) => {
    throw new DatabaseUnavailable(error)
  })
  const checking = setInterval(check, CHECK_MS).unref()
  return {
    isLive: () => client !== undefined && !stopped,
    heardByAll: (limit) => listeners.ask(limit),
    async stop() {
      stopped = true
      clearInterval(checking)
      await client?.end()
      client = undefined
    },
  }
}
