/** How one listener of a channel finds out that all the others have heard what was notified. */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

export type Listeners = Readonly<{
  /** Makes a connection that listens known to the others. */
  join(client: pg.Client): Promise<void>
  /** Takes a payload that is one of ours; false: it is somebody else's. */
  receive(client: pg.Client, payload: string): boolean
  /** Resolves when everybody present has answered, at the latest after `withinMs`. */
  ask(limit: { withinMs: number }): Promise<void>
}>

type Options = Readonly<{
  channel: string
  /** The connection that listens; undefined while there is none. */
  client: () => pg.Client | undefined
}>

/** A listener that has just connected, or reconnected, has not received the question yet. */
const ASK_AGAIN_MS = 200
/** The largest `integer` of PostgreSQL, which half of an advisory lock's name is. */
const LISTENER_MAX = 2 ** 31 - 1

const QUESTION = /^\? (\S+)$/
const ANSWER = /^! (\S+) (\d+)$/

export function askListeners({ channel, client: current }: Options): Listeners {
  const self = randomInt(1, LISTENER_MAX)
  const asked = new Map<string, (by: number) => void>()
  const notify = (client: pg.Client, payload: string): Promise<unknown> =>
    client.query('select pg_notify($1, $2)', [channel, payload])

  /** Those who have not answered by now are asked again; true when there are none. */
  const askOnce = async (question: string, answered: Set<number>): Promise<boolean> => {
    const client = current()
    if (!client) return false
    const missing = (await findPresent(client, channel)).filter((one) => !answered.has(one))
    if (missing.length === 0) return true
    const all = new Promise<void>((resolve) =>
      asked.set(question, (by) => {
        answered.add(by)
        if (missing.every((one) => answered.has(one))) resolve()
      }),
    )
    await notify(client, `? ${question}`)
    await Promise.race([all, delay(ASK_AGAIN_MS, undefined, { ref: false })])
    return missing.every((one) => answered.has(one))
  }

  const askUntil = async (question: string, over: AbortSignal): Promise<void> => {
    const answered = new Set([self])
    while (!over.aborted) {
      if (await askOnce(question, answered).catch(() => false)) return
      await delay(ASK_AGAIN_MS, undefined, { ref: false })
    }
  }

  return {
    // A lock that ends with the connection: by it the others see who listens.
    async join(client) {
      await client.query('select pg_advisory_lock_shared(hashtext($1), $2)', [channel, self])
    },
    receive(client, payload) {
      const [, question] = QUESTION.exec(payload) ?? []
      const [, answered, by] = ANSWER.exec(payload) ?? []
      // Notifications come in the order of their commits: what came before the question has been acted on.
      // Should the connection be lost meanwhile, nobody waits for this answer.
      if (question !== undefined) notify(client, `! ${question} ${self}`).catch(() => undefined)
      if (answered !== undefined) asked.get(answered)?.(Number(by))
      return (question ?? answered) !== undefined
    },
    async ask({ withinMs }) {
      const question = randomUUID()
      const over = AbortSignal.timeout(withinMs)
      const isOver = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()))
      // A connection that is dead and does not know it would keep a round waiting.
      await Promise.race([askUntil(question, over), isOver])
      asked.delete(question)
    },
  }
}

async function findPresent(client: pg.Client, channel: string): Promise<number[]> {
  const { rows } = await client.query<{ listener: number }>(
    `select objid::integer as listener from pg_locks
     where locktype = 'advisory' and objsubid = 2 and classid::bigint = hashtext($1)::bigint & 4294967295
       and database = (select oid from pg_database where datname = current_database())`,
    [channel],
  )
  return rows.map(({ listener }) => listener)
}
