import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Pool, PoolClient, QueryArrayResult } from 'pg'
import { invariant } from '../../kernel/invariant.ts'
import { forgetOldPlans } from './forget-old-plans.ts'
import { listen, type Listening } from './listen.ts'
import { toRows, typeParsers } from './rows.ts'
import { toStatement, type Sql } from './sql.ts'
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
  close(): Promise<void>
}>

export type DatabaseOptions = Readonly<{
  url: string
  poolSize: number
  onError: (error: Error) => void
}>

const TRIES_MAX = 5
const CONNECT_TIMEOUT_MS = 5_000
/** What a connection has planned and cached is worth more than its memory for as long as somebody may come back. */
const IDLE_TIMEOUT_MS = 600_000

/**
 * Generic plans: our statements are keyed look-ups whose best plan does not depend on the values, and planning a
 * set-based statement anew at each call costs more than running it. A plan made while a table was still small would
 * read it whole for as long as nobody counts its rows, be it by itself or to merge or hash it with the keys; so that is
 * the last resort, and each key is looked up by index.
 */
const PLANNING = [
  'plan_cache_mode=force_generic_plan',
  ...['seqscan', 'mergejoin', 'hashjoin', 'material'].map((way) => `enable_${way}=off`),
  'timezone=UTC',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

type Result = QueryArrayResult<unknown[]>
type Execute = (query: Sql) => Promise<Result>
type Trailing = Readonly<{ query: Sql; ran: (() => void) | undefined }>

const gathering = new WeakSet<Writable>()

/** What is sent in one turn leaves in one write: a system call, and a waking of the server, for all of it. */
function gather(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  process.nextTick(() => {
    gathering.delete(stream)
    stream.uncork()
  })
}

async function execute(client: PoolClient, query: Sql): Promise<Result> {
  gather(client)
  try {
    return await client.query({ ...toStatement(query), rowMode: 'array', types: typeParsers })
  } catch (error) {
    if (isUnavailable(error))
      throw new DatabaseUnavailable('database unavailable', { cause: error })
    throw error
  }
}

function txOn(execute: Execute, trailing: Trailing[]): Tx {
  const many = async <R>(query: Sql): Promise<R[]> => toRows<R>(await execute(query))
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
      return (await execute(query)).rowCount ?? 0
    },
    trail(query, ran) {
      trailing.push({ query, ran })
    },
  }
}

/**
 * `begin` is not waited for: the connection pipelines, so it travels with the first statement. Where all there is to
 * do is one statement at the end, that is a transaction by itself. A commit that the server turned into a rollback (a
 * failed statement whose error was caught) is reported, never taken for success.
 */
async function transactionOn<T>(client: PoolClient, body: (tx: Tx) => Promise<T>): Promise<T> {
  let begun: Promise<unknown> | undefined
  const begin = (): void => {
    if (begun) return
    gather(client)
    begun = client.query('begin')
    begun.catch(() => undefined)
  }
  const trailing: Trailing[] = []
  let result: T
  try {
    const executeInside: Execute = (query) => {
      begin()
      return execute(client, query)
    }
    result = await body(txOn(executeInside, trailing))
    await begun
  } catch (error) {
    if (begun) await client.query('rollback').catch(() => undefined)
    throw error
  }
  const [first, ...others] = trailing
  if (!begun && others.length === 0) {
    if (first) await executeTrailing(client, first)
    return result
  }
  begin()
  await commit(client, trailing)
  return result
}

async function executeTrailing(client: PoolClient, { query, ran }: Trailing): Promise<void> {
  await execute(client, query)
  ran?.()
}

async function commit(client: PoolClient, trailing: readonly Trailing[]): Promise<void> {
  gather(client)
  const sent = trailing.map((one) => executeTrailing(client, one))
  const ended = client.query('commit')
  const outcomes = await Promise.allSettled([...sent, ended])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  const { command } = await ended
  invariant(command === 'COMMIT', 'a transaction whose statement failed is not committed')
}

async function acquire(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new DatabaseUnavailable('no database connection', { cause: error })
  }
}

/** A connection that dies between two statements is noticed by the next one; it must not end the process. */
const noticedLater = (): void => undefined

async function withClient<T>(pool: Pool, use: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await acquire(pool)
  client.on('error', noticedLater)
  gather(client)
  forgetOldPlans(client)
  let broken = false
  try {
    return await use(client)
  } catch (error) {
    broken = isUnavailable(error)
    if (broken && !(error instanceof DatabaseUnavailable)) {
      throw new DatabaseUnavailable('connection lost', { cause: error })
    }
    throw error
  } finally {
    client.off('error', noticedLater)
    client.release(broken)
  }
}

export function openDatabase({ url, poolSize, onError }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    options: PLANNING,
    pipeline: true,
  } as pg.PoolConfig)
  let isClosing = false
  // The pool does not wait for its last words with the server, which may be on its way down as well by then.
  pool.on('error', (error) => isClosing || onError(error))
  const nothingTrails = Object.freeze<Trailing[]>([]) as Trailing[]
  const executeAlone: Execute = (query) => withClient(pool, (client) => execute(client, query))
  return {
    read: txOn(executeAlone, nothingTrails),
    async transaction(body) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await withClient(pool, (client) => transactionOn(client, body))
        } catch (error) {
          if (!isRetryable(error) || tries >= TRIES_MAX) throw error
        }
      }
    },
    listen: (channel, heard) => listen({ url, channel, heard, onError }),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close() {
      isClosing = true
      return pool.end()
    },
  }
}
