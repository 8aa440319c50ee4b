/** Lets one listener of a channel wait until all others have handled the notifications so far. */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

export type Listeners = Readonly<{
  /** Registers a listening connection, so that the others know it. */
  join(client: pg.Client): Promise<void>
  /** Handles a question or answer of this protocol; false for any other payload. */
  receive(client: pg.Client, payload: string): boolean
  /** Resolves when all registered listeners have answered, at the latest after `withinMs`. */
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

  /** Asks the listeners that have not answered yet; true when all have. */
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
    // The lock ends with the connection; the others read the locks to find the listeners.
    async join(client) {
      await client.query('select pg_advisory_lock_shared(hashtext($1), $2)', [channel, self])
    },
    receive(client, payload) {
      const [, question] = QUESTION.exec(payload) ?? []
      const [, answered, by] = ANSWER.exec(payload) ?? []
      // Notifications arrive in the order of their commits, so those before the question have been handled.
      // If the connection is lost meanwhile, the answer is not needed.
      if (question !== undefined) notify(client, `! ${question} ${self}`).catch(() => undefined)
      if (answered !== undefined) asked.get(answered)?.(Number(by))
      return (question ?? answered) !== undefined
    },
    async ask({ withinMs }) {
      const question = randomUUID()
      const over = AbortSignal.timeout(withinMs)
      const isOver = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()))
      // A dead connection that is not noticed yet would keep a round waiting.
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
