import pg from 'pg'
import type { Pool, PoolClient } from 'pg'
import { invariant, InvariantError } from '../../kernel/invariant.ts'
import { exchange, type Answer, type Asked } from './exchange.ts'
import { forgetOldPlans } from './forget-old-plans.ts'
import { listen, type Listening } from './listen.ts'
import { sql, toStatement, type Sql } from './sql.ts'
import type { Tx } from './tx.ts'
import { DatabaseUnavailable, isRetryable, isUnavailable } from './unavailable.ts'

export type Database = Readonly<{
  /** Statements outside a transaction, each by itself: reads. */
  read: Tx
  /** Runs `body` in one transaction; a serialization failure or deadlock runs it again. */
  transaction<T>(body: (tx: Tx) => Promise<T>): Promise<T>
  /** Calls back on every notification of the channel, in this and every other process. */
  listen(channel: string, heard: (payload: string) => void): Promise<Listening>
  stats(): { total: number; idle: number; waiting: number }
  /** How many transactions were begun anew, by serialization failures, deadlocks and the like. */
  retries(): number
  close(): Promise<void>
}>

export type DatabaseOptions = Readonly<{
  url: string
  poolSize: number
  onError: (error: Error) => void
  lockTimeoutMs?: number
}>

const TRIES_MAX = 5
const CONNECT_TIMEOUT_MS = 5_000
/** Never: what a connection has planned and cached is worth more than its memory. */
const IDLE_TIMEOUT_MS = 0
/** So the network must not take an idle one for dead, and a dead one must not be taken for idle. */
const KEEP_ALIVE_MS = 30_000
/**
 * No statement waits longer for a lock. The server finds those who wait for each other in it, but a batch of the lane
 * may also wait for another one in this process, which no server sees.
 */
const LOCK_TIMEOUT_MS = 10_000

/**
 * Generic plans: our statements are keyed look-ups whose best plan does not depend on the values, and planning a
 * set-based statement anew at each call costs more than running it. A plan made while a table was still small would
 * read it whole for as long as nobody counts its rows, be it by itself or to merge or hash it with the keys; so that is
 * the last resort, and each key is looked up by index.
 */
const PLANNING = [
  'plan_cache_mode=force_generic_plan',
  ...['seqscan', 'mergejoin', 'hashjoin', 'material'].map((way) => `enable_${way}=off`),
]

/** Options in the address would otherwise stand for ours. */
function connectionTo(url: string, lockTimeoutMs: number): pg.PoolConfig {
  const own = [...PLANNING, 'timezone=UTC', `lock_timeout=${lockTimeoutMs}`]
    .map((setting) => `-c ${setting}`)
    .join(' ')
  // Only the part behind the question mark is taken for a URL's: before it may stand what only the driver knows.
  const [server = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  const given = parameters.get('options')
  if (given === null) return { connectionString: url, options: own }
  parameters.delete('options')
  return { connectionString: `${server}?${parameters}`, options: `${given} ${own}` }
}

type Trailing = Readonly<{ query: Sql; ran: (() => void) | undefined }>
type Ask = (query: Sql) => Promise<Answer>

function txOn(ask: Ask, trail: Tx['trail']): Tx {
  const many = async <R>(query: Sql): Promise<R[]> => (await ask(query)).rows as R[]
  return {
    many,
    async maybe<R>(query: Sql) {
      const rows = await many<R>(query)
      invariant(rows.length <= 1, 'at most one row')
      return rows[0]
    },
    async one<R>(query: Sql) {
      const rows = await many<R>(query)
      invariant(rows.length === 1, 'exactly one row')
      return rows[0] as R
    },
    async run(query) {
      return (await ask(query)).count
    },
    trail,
  }
}

const asking = (query: Sql, of: Omit<Asked, 'statement'> = {}): Asked => ({
  statement: toStatement(query),
  ...of,
})

/** The driver's errors come from its socket; whoever reads one in the log wants to see who asked. */
function answerTo(query: Sql, take: (asked: Asked) => void): Promise<Answer> {
  const answer = new Promise<Answer>((answered, failed) =>
    take(asking(query, { answered, failed })),
  )
  return answer.catch((error: Error) => {
    Error.captureStackTrace(error)
    throw error
  })
}

/** Whoever asked hears of a failure. */
const send = (client: PoolClient, asked: readonly Asked[]): void => {
  exchange(client, asked).catch(() => undefined)
}

const BEGIN = sql`begin`
const COMMIT = sql`commit`
const ROLLBACK = sql`rollback`

/**
 * Statements of one turn leave together, `begin` with the first of them. What trails leaves with the commit; where that
 * is all there is to do, it needs neither `begin` nor `commit`: one exchange is one transaction. A commit that the
 * server turned into a rollback (a failed statement whose error was caught) is reported, never taken for success.
 */
async function transactionOn<T>(client: PoolClient, body: (tx: Tx) => Promise<T>): Promise<T> {
  const trailing: Trailing[] = []
  let waiting: Asked[] = []
  let isBegun = false
  let isOver = false
  const leave = (): void => {
    if (waiting.length > 0) send(client, waiting)
    waiting = []
  }
  // Where one of several branches fails, the others may still be about to ask; by then the connection is another's.
  const ask: Ask = (query) =>
    isOver
      ? Promise.reject(new InvariantError('a transaction that has ended is asked nothing'))
      : answerTo(query, (asked) => {
          if (waiting.length === 0) process.nextTick(leave)
          if (!isBegun) waiting.push(asking(BEGIN))
          isBegun = true
          waiting.push(asked)
        })
  const trail: Tx['trail'] = (query, ran) => {
    invariant(!isOver, 'a transaction that has ended writes nothing')
    trailing.push({ query, ran })
  }
  const rollBack = async (): Promise<void> => {
    leave()
    if (isBegun) await exchange(client, [asking(ROLLBACK)]).catch(() => undefined)
  }
  try {
    const result = await body(txOn(ask, trail))
    isOver = true
    leave()
    await commit(client, trailing, isBegun)
    return result
  } catch (error) {
    isOver = true
    await rollBack()
    throw error
  }
}

async function commit(client: PoolClient, trailing: readonly Trailing[], isBegun: boolean) {
  const asked = trailing.map(({ query, ran }) => asking(query, { ran }))
  if (!isBegun) {
    if (asked.length > 0) await exchange(client, asked)
    return
  }
  let outcome = ''
  const commit = asking(COMMIT, { answered: ({ command }) => void (outcome = command) })
  await exchange(client, [...asked, commit])
  invariant(outcome === 'COMMIT', 'a transaction whose statement failed is not committed')
}

async function acquire(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new DatabaseUnavailable('no database connection', { cause: error })
  }
}

/**
 * A connection that dies between two statements, or while it is given up, is noticed by whoever uses it next, if anybody
 * does; it must not end the process.
 */
const noticedLater = (): void => undefined

async function withClient<T>(pool: Pool, use: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await acquire(pool)
  forgetOldPlans(client)
  let isBroken = false
  try {
    return await use(client)
  } catch (error) {
    isBroken = isUnavailable(error)
    throw error
  } finally {
    client.release(isBroken)
  }
}

export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, onError, lockTimeoutMs = LOCK_TIMEOUT_MS } = options
  const pool = new pg.Pool({
    ...connectionTo(url, lockTimeoutMs),
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    pipeline: true,
  } as pg.PoolConfig)
  pool.on('connect', (client) => client.on('error', noticedLater))
  let isClosing = false
  // The pool does not wait for its last words with the server, which may be on its way down as well by then.
  pool.on('error', (error) => isClosing || onError(error))
  const nothingTrails = (): void => invariant(false, 'what trails does so in a transaction')
  let retries = 0
  const askAlone: Ask = (query) =>
    withClient(pool, (client) => answerTo(query, (asked) => send(client, [asked])))
  return {
    read: txOn(askAlone, nothingTrails),
    async transaction(body) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await withClient(pool, (client) => transactionOn(client, body))
        } catch (error) {
          if (!isRetryable(error) || tries >= TRIES_MAX) throw error
          retries += 1
        }
      }
    },
    listen: (channel, heard) => listen({ url, channel, heard, onError }),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    retries: () => retries,
    close() {
      isClosing = true
      return pool.end()
    },
  }
}
