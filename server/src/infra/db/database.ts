import type { PoolClient } from 'pg'
import type { Keyring } from '../../crypto/keyring.ts'
import { invariant, InvariantError } from '../../kernel/invariant.ts'
import { gather } from '../gather.ts'
import type { Log } from '../logging/log.ts'
import { exchange, type Answer, type SentStatement } from './connection/exchange.ts'
import { createHosts } from './connection/hosts.ts'
import { listen, type Listening } from './notification/listen.ts'
import { createOutage } from './connection/outage.ts'
import { openPool, withClient, type Connections } from './connection/pool.ts'
import { createProbe } from './connection/probe.ts'
import { bindMessage } from './statement/bind-message.ts'
import { sql, toStatement, type Sql } from './statement/sql.ts'
import type { WriteCallbacks, Tx } from './tx.ts'
import type { Tracer } from '../logging/tracing/tracer.ts'
import { isRetryable, isUnavailable } from './connection/unavailable.ts'

export type Database = Readonly<{
  /** Statements outside a transaction, each by itself: reads. */
  read: Tx
  /** Runs `body` in one transaction; a serialization failure or deadlock runs it again. */
  transaction<T>(body: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs an effect of a committed transaction: now, or after the commit of the transaction that this one is part of. */
  afterCommit(effect: () => void): void
  /** Whether the database answers at once and accepts writes, for the readiness probe (CORE-84). */
  isServing(): Promise<boolean>
  /** Calls back on every notification of the channel, from this and every other process. */
  listen(channel: string, heard: (payload: string) => void): Promise<Listening>
  stats(): { total: number; idle: number; waiting: number }
  /** The number of retried transactions. */
  retries(): number
  close(): Promise<void>
}>

export type TransactionOptions = Readonly<{
  /** For transactions that read whole tables: statements may take ten minutes. */
  isLong: boolean
}>

export type DatabaseOptions = Readonly<{
  url: string
  poolSize: number
  log: Log
  keyring: Keyring
  tracer?: Tracer | undefined
}> &
  DatabaseTimeouts

export type DatabaseTimeouts = Readonly<{
  connectTimeoutMs?: number
  lockTimeoutMs?: number
  /** 0 for no limit, as in commands that a person waits for. */
  statementTimeoutMs?: number
}>

const TRIES_MAX = 5
/** After this a transaction is not retried, so that a request is answered within ten seconds. */
const TRY_AGAIN_WITHIN_MS = 4_000
const CONNECT_TIMEOUT_MS = 3_000
/**
 * No statement waits longer for a lock. The server detects deadlocks of its own locks, but a batch of the lane may also
 * wait for another one in this process, which the server does not see.
 */
const LOCK_TIMEOUT_MS = 4_000
/** The server cancels a statement after this; if it does not, the connection is closed a second later. */
const STATEMENT_TIMEOUT_MS = 5_000
const SILENCE_MS = 1_000
const LONG_MS = 600_000

type QueuedWrite = Readonly<{ query: Sql; callbacks: WriteCallbacks | undefined }>
type Execute = (query: Sql) => Promise<Answer>

type TxParts = Pick<Tx, 'keyring' | 'queueWrite' | 'flush'> & Readonly<{ executeByKey?: Execute }>

function newTx(
  execute: Execute,
  { keyring, queueWrite, flush, executeByKey = execute }: TxParts,
): Tx {
  const many = async <R>(query: Sql): Promise<R[]> => (await execute(query)).rows as R[]
  const atMostOne = <R>({ rows }: Answer): R | undefined => {
    invariant(rows.length <= 1, 'at most one row')
    return rows[0] as R | undefined
  }
  return {
    keyring,
    many,
    maybe: async <R>(query: Sql) => atMostOne<R>(await execute(query)),
    find: async <R>(query: Sql) => atMostOne<R>(await executeByKey(query)),
    async one<R>(query: Sql) {
      const rows = await many<R>(query)
      invariant(rows.length === 1, 'exactly one row')
      return rows[0] as R
    },
    async run(query) {
      return (await execute(query)).count
    },
    queueWrite,
    flush,
  }
}

const sentStatement = (
  query: Sql,
  { onRun, onAnswer, onError }: Omit<SentStatement, 'statement' | 'bind'> = {},
): SentStatement => {
  const statement = toStatement(query)
  const bind = bindMessage(statement.name, query.values, statement.listWriters)
  return { statement, bind, onRun, onAnswer, onError }
}

/** The driver's errors come from its socket; the stack of the query is added, so that a log line names the caller. */
function answerTo(query: Sql, submit: (sent: SentStatement) => void): Promise<Answer> {
  const answer = new Promise<Answer>((onAnswer, onError) =>
    submit(sentStatement(query, { onAnswer, onError })),
  )
  return answer.catch((error: Error) => {
    Error.captureStackTrace(error)
    throw error
  })
}

/** The caller gets the failure through the promise of its own statement. */
const ignoreFailure = (exchanged: Promise<void>): void => {
  exchanged.catch(() => undefined)
}

type Exchange = typeof exchange

const BEGIN = sql`begin`
const ALLOW_LONG = [
  sql`set local statement_timeout = '10min'`,
  sql`set local idle_in_transaction_session_timeout = '10min'`,
]
const beginStatements = ({ isLong }: TransactionOptions): SentStatement[] =>
  [BEGIN, ...(isLong ? ALLOW_LONG : [])].map((query) => sentStatement(query))
const COMMIT = sql`commit`
const ROLLBACK = sql`rollback`

/**
 * Sends the statements of one turn of the event loop together, `begin` with the first of them, and queued writes with
 * the commit. A transaction of queued writes alone needs neither `begin` nor `commit`, because one exchange is one
 * transaction. A commit that the server turned into a rollback (a failed statement whose error was caught) is reported,
 * never taken for success.
 */
async function transactionOn<T>(
  client: PoolClient,
  body: (tx: Tx) => Promise<T>,
  options: Readonly<{ keyring: Keyring; isLong: boolean; exchange: Exchange }>,
): Promise<T> {
  const exchange: Exchange = (client, sent) =>
    options.exchange(client, sent, options.isLong ? LONG_MS + SILENCE_MS : undefined)
  const queuedWrites: QueuedWrite[] = []
  let unsent: SentStatement[] = []
  let isBegun = false
  let isOver = false
  const sendNow = (): void => {
    if (unsent.length > 0) ignoreFailure(exchange(client, unsent))
    unsent = []
  }
  // When one of several branches fails, the others may still run statements; by then the connection is another's.
  const execute: Execute = (query) =>
    isOver
      ? Promise.reject(new InvariantError('a transaction that has ended is asked nothing'))
      : answerTo(query, (sent) => {
          if (unsent.length === 0) process.nextTick(sendNow)
          if (!isBegun) unsent.push(...beginStatements(options))
          isBegun = true
          unsent.push(sent)
        })
  const queueWrite: Tx['queueWrite'] = (query, callbacks) => {
    invariant(!isOver, 'a transaction that has ended writes nothing')
    queuedWrites.push({ query, callbacks })
  }
  const flush: Tx['flush'] = async () => {
    const writes = queuedWrites.splice(0).map(async ({ query, callbacks }) => {
      const { count } = await execute(query)
      callbacks?.onRun?.()
      callbacks?.onCount?.(count)
    })
    await Promise.all(writes)
  }
  const rollBack = async (error: unknown): Promise<void> => {
    sendNow()
    // A lost connection is discarded, and its transaction with it.
    if (isBegun && !isUnavailable(error))
      await exchange(client, [sentStatement(ROLLBACK)]).catch(() => undefined)
  }
  try {
    const result = await body(newTx(execute, { keyring: options.keyring, queueWrite, flush }))
    isOver = true
    sendNow()
    await commit((sent) => exchange(client, sent), queuedWrites, isBegun)
    return result
  } catch (error) {
    isOver = true
    await rollBack(error)
    throw error
  }
}

async function commit(
  send: (sent: readonly SentStatement[]) => Promise<void>,
  queuedWrites: readonly QueuedWrite[],
  isBegun: boolean,
): Promise<void> {
  const writes = queuedWrites.map(({ query, callbacks }) =>
    sentStatement(query, {
      onRun: callbacks?.onRun,
      onAnswer: ({ count }) => callbacks?.onCount?.(count),
    }),
  )
  if (!isBegun) {
    if (writes.length > 0) await send(writes)
    return
  }
  let outcome = ''
  const commit = sentStatement(COMMIT, { onAnswer: ({ command }) => void (outcome = command) })
  await send([...writes, commit])
  invariant(outcome === 'COMMIT', 'a transaction whose statement failed is not committed')
}

/** The server cancels a statement by itself; the rest of the limit is for its answer to arrive. */
const silenceLimitOf = (statementMs: number): number | undefined =>
  statementMs > 0 ? statementMs + SILENCE_MS : undefined

/** Runs each statement by itself; look-ups by key of several requests share a round trip. */
function newReadTx(
  connections: Connections,
  { keyring, exchange }: Readonly<{ keyring: Keyring; exchange: Exchange }>,
): Tx {
  const executeAlone: Execute = (query) =>
    withClient(connections, (client) =>
      answerTo(query, (sent) => ignoreFailure(exchange(client, [sent]))),
    )
  /** Undefined for a look-up that failed, and for those behind it. */
  const executeTogether = gather<Sql, Answer | undefined>(async (queries) => {
    const answers: Answer[] = []
    const onAnswer = (answer: Answer): void => void answers.push(answer)
    const sent = queries.map((query) => sentStatement(query, { onAnswer }))
    await withClient(connections, (client) => exchange(client, sent)).catch((error: unknown) => {
      if (isUnavailable(error)) throw error
    })
    return answers
  })
  /** Look-ups behind a failed one run again alone, so that none fails because of another. */
  const executeByKey: Execute = async (query) =>
    (await executeTogether(query)) ?? executeAlone(query)
  return newTx(executeAlone, {
    keyring,
    queueWrite: () => invariant(false, 'writes are queued in a transaction only'),
    flush: async () => undefined,
    executeByKey,
  })
}

export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, log, keyring, tracer } = options
  const statementMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS
  const limited: Exchange = (client, sent, limitMs = silenceLimitOf(statementMs)) =>
    exchange(client, sent, limitMs)
  const exchangeTraced = tracer?.traceExchange(limited) ?? limited
  const hosts = createHosts(url)
  const outage = createOutage(log)
  const pool = openPool(hosts, {
    poolSize,
    connectMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    lockMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    statementMs,
  })
  const probe = createProbe(hosts)
  const connections = { pool, hosts, outage }
  let isClosing = false
  // Errors while closing are expected, because the server may be stopping as well.
  const onError = (error: Error): void => void (isClosing || outage.failed(error))
  pool.on('error', onError)
  let retries = 0
  return {
    read: newReadTx(connections, { keyring, exchange: exchangeTraced }),
    async transaction(body, { isLong } = { isLong: false }) {
      const startedMs = performance.now()
      for (let tries = 1; ; tries += 1) {
        try {
          return await withClient(connections, (client) =>
            transactionOn(client, body, { keyring, isLong, exchange: exchangeTraced }),
          )
        } catch (error) {
          const isLate = performance.now() - startedMs > TRY_AGAIN_WITHIN_MS
          if (!isRetryable(error) || tries >= TRIES_MAX || isLate) throw error
          retries += 1
        }
      }
    },
    afterCommit: (effect) => effect(),
    isServing: async () => (await probe.check()) && !outage.isRefusing(),
    listen: (channel, heard) => listen({ hosts, channel, heard, onError }),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    retries: () => retries,
    async close() {
      isClosing = true
      outage.stop()
      await Promise.all([pool.end(), probe.close()])
    },
  }
}
