import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

export type Listening = Readonly<{ stop(): Promise<void> }>

type Options = Readonly<{
  url: string
  channel: string
  heard: (payload: string) => void
  onError: (error: Error) => void
}>

const RECONNECT_MS = 500

/**
 * Listens on its own connection and comes back by itself when the database restarts. What was notified in between
 * is lost, so after every reconnect `heard` is called once with an empty payload: "look again".
 */
export async function listen({ url, channel, heard, onError }: Options): Promise<Listening> {
  let stopped = false
  let client: pg.Client | undefined

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url })
    const lost = () => {
      if (client !== next || stopped) return
      client = undefined
      void reconnect()
    }
    next.on('error', (error) => {
      if (!stopped) onError(error)
      lost()
    })
    next.on('end', lost)
    next.on('notification', (message) => heard(message.payload ?? ''))
    await next.connect()
    await next.query(`listen ${channel}`)
    client = next
  }

  const reconnect = async (): Promise<void> => {
    while (!stopped) {
      await delay(RECONNECT_MS, undefined, { ref: false })
      try {
        await connect()
        heard('')
        return
      } catch (error) {
        onError(error as Error)
      }
    }
  }

  await connect()
  return {
    async stop() {
      stopped = true
      await client?.end()
    },
  }
}
