import pg from 'pg'
import type { Pool, PoolClient, QueryArrayResult } from 'pg'
import { invariant } from '../../kernel/invariant.ts'
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

type Result = QueryArrayResult<unknown[]>
type Execute = (query: Sql) => Promise<Result>

async function execute(client: PoolClient, query: Sql): Promise<Result> {
  try {
    return await client.query({ ...toStatement(query), rowMode: 'array', types: typeParsers })
  } catch (error) {
    if (isUnavailable(error))
      throw new DatabaseUnavailable('database unavailable', { cause: error })
    throw error
  }
}

function txOn(execute: Execute, trailing: Sql[]): Tx {
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
    trail(query) {
      trailing.push(query)
    },
  }
}

/**
 * `begin` is not waited for: the connection pipelines, so it travels with the first statement. A commit that the
 * server turned into a rollback (a failed statement whose error was caught) is reported, never taken for success.
 */
async function transactionOn<T>(client: PoolClient, body: (tx: Tx) => Promise<T>): Promise<T> {
  const begun = client.query('begin')
  begun.catch(() => undefined)
  const trailing: Sql[] = []
  let result: T
  try {
    result = await body(txOn((query) => execute(client, query), trailing))
    await begun
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  await commit(client, trailing)
  return result
}

async function commit(client: PoolClient, trailing: readonly Sql[]): Promise<void> {
  const sent = trailing.map((query) => execute(client, query))
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
    // Generic plans: our statements are keyed look-ups whose best plan does not depend on the values, and planning
    // a set-based statement anew at each call costs more than running it. A plan made while a table was still empty
    // would read it whole for as long as nobody counts its rows, so reading whole tables is the last resort.
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c timezone=UTC',
    pipeline: true,
  } as pg.PoolConfig)
  let isClosing = false
  // The pool does not wait for its last words with the server, which may be on its way down as well by then.
  pool.on('error', (error) => isClosing || onError(error))
  const nothingTrails = Object.freeze<Sql[]>([]) as Sql[]
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
