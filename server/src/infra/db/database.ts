import pg from 'pg'
import type { Pool, PoolClient } from 'pg'
import type { Keyring } from '../../crypto/keyring.ts'
import { invariant, InvariantError } from '../../kernel/invariant.ts'
import { gather } from '../gather.ts'
import type { Log } from '../logging/log.ts'
import { exchange, type Answer, type Asked } from './connection/exchange.ts'
import { forgetOldPlans } from './connection/forget-old-plans.ts'
import { createHosts, type DatabaseHosts } from './connection/hosts.ts'
import { listen, type Listening } from './notification/listen.ts'
import { createOutage, type Outage } from './connection/outage.ts'
import { createProbe } from './connection/probe.ts'
import { sql, toStatement, type Sql } from './statement/sql.ts'
import type { Heard, Tx } from './tx.ts'
import type { Tracer } from '../logging/tracing/tracer.ts'
import { DatabaseUnavailable, isRetryable, isUnavailable } from './connection/unavailable.ts'

export type Database = Readonly<{
  /** Statements outside a transaction, each by itself: reads. */
  read: Tx
  /** Runs `body` in one transaction; a serialization failure or deadlock runs it again. */
  transaction<T>(body: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs what was kept until the last transaction was committed: now, unless that takes part in another one. */
  afterCommit(effect: () => void): void
  /** Whether the database answers at once and can write: what readiness says (CORE-84). */
  isServing(): Promise<boolean>
  /** Calls back on every notification of the channel, in this and every other process. */
  listen(channel: string, heard: (payload: string) => void): Promise<Listening>
  stats(): { total: number; idle: number; waiting: number }
  /** How many transactions were run again, by serialization failures, deadlocks and the like. */
  retries(): number
  close(): Promise<void>
}>

export type TransactionOptions = Readonly<{
  /** For what reads whole tables: its statements may take ten minutes. */
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
  /** 0 for none: a command that a person waits for. */
  statementTimeoutMs?: number
}>

const TRIES_MAX = 5
/** Past this a transaction is not run again: a request is answered within ten seconds, whatever the database does. */
const TRY_AGAIN_WITHIN_MS = 4_000
const CONNECT_TIMEOUT_MS = 3_000
/** Never: what a connection has planned and cached is worth more than its memory. */
const IDLE_TIMEOUT_MS = 0
/** So the network must not take an idle one for dead, and a dead one must not be taken for idle. */
const KEEP_ALIVE_MS = 30_000
/**
 * No statement waits longer for a lock. The server finds those who wait for each other in it, but a batch of the lane
 * may also wait for another one in this process, which no server sees.
 */
const LOCK_TIMEOUT_MS = 4_000
/** The server ends a statement after this; a server that does not even do that loses the connection a second later. */
const STATEMENT_TIMEOUT_MS = 5_000
const SILENCE_MS = 1_000
/**
 * Of a process that is cut off within a transaction the server hears nothing, not even that it is gone, and would keep
 * its locks until the network gives up, for hours.
 */
const IDLE_PER_STATEMENT = 2
const LONG_MS = 600_000

/**
 * Generic plans: our statements are keyed look-ups whose best plan does not depend on the values, and planning a
 * set-based statement again at each call costs more than running it. A plan made while a table was still small would
 * read it whole for as long as nobody counts its rows, be it by itself or to merge or hash it with the keys; so that is
 * the last resort, and each key is looked up by index (decision 0016).
 */
const PLANNING = [
  'plan_cache_mode=force_generic_plan',
  ...['seqscan', 'mergejoin', 'hashjoin', 'material'].map((way) => `enable_${way}=off`),
]

type Timeouts = Readonly<{ connectMs: number; lockMs: number; statementMs: number }>

/** Set on the open connection: a pooler in between would take startup options for its own, and refuse them. */
function configuration({ lockMs, statementMs }: Timeouts): string {
  const settings = [
    ...PLANNING,
    'timezone=UTC',
    `lock_timeout=${lockMs}`,
    `statement_timeout=${statementMs}`,
    `idle_in_transaction_session_timeout=${IDLE_PER_STATEMENT * statementMs}`,
  ]
  const sets = settings.map((setting) => {
    const [name, value] = setting.split('=')
    return `set_config('${name}', '${value}', false)`
  })
  return `select ${sets.join(', ')}, current_setting('transaction_read_only') as read_only`
}

type Trailing = Readonly<{ query: Sql; heard: Heard | undefined }>
type Ask = (query: Sql) => Promise<Answer>

type Asking = Pick<Tx, 'keyring' | 'trail' | 'flush'> & Readonly<{ askByKey?: Ask }>

function txOn(ask: Ask, { keyring, trail, flush, askByKey = ask }: Asking): Tx {
  const many = async <R>(query: Sql): Promise<R[]> => (await ask(query)).rows as R[]
  const atMostOne = <R>({ rows }: Answer): R | undefined => {
    invariant(rows.length <= 1, 'at most one row')
    return rows[0] as R | undefined
  }
  return {
    keyring,
    many,
    maybe: async <R>(query: Sql) => atMostOne<R>(await ask(query)),
    find: async <R>(query: Sql) => atMostOne<R>(await askByKey(query)),
    async one<R>(query: Sql) {
      const rows = await many<R>(query)
      invariant(rows.length === 1, 'exactly one row')
      return rows[0] as R
    },
    async run(query) {
      return (await ask(query)).count
    },
    trail,
    flush,
  }
}

const asking = (query: Sql, of: Omit<Asked, 'statement'> = {}): Asked => ({
  statement: toStatement(query),
  ...of,
})

/** The driver's errors come from its socket; the stack of the query is added, so that a log line names the caller. */
function answerTo(query: Sql, take: (asked: Asked) => void): Promise<Answer> {
  const answer = new Promise<Answer>((answered, failed) =>
    take(asking(query, { answered, failed })),
  )
  return answer.catch((error: Error) => {
    Error.captureStackTrace(error)
    throw error
  })
}

/** The failure reaches the caller through its own promise. */
const send = (sending: Promise<void>): void => {
  sending.catch(() => undefined)
}

type Exchanging = typeof exchange

const BEGIN = sql`begin`
const ALLOW_LONG = [
  sql`set local statement_timeout = '10min'`,
  sql`set local idle_in_transaction_session_timeout = '10min'`,
]
const beginning = ({ isLong }: TransactionOptions): Asked[] =>
  [BEGIN, ...(isLong ? ALLOW_LONG : [])].map((query) => asking(query))
const COMMIT = sql`commit`
const ROLLBACK = sql`rollback`

/**
 * Statements of one turn leave together, `begin` with the first of them. What trails leaves with the commit; where that
 * is all there is to do, it needs neither `begin` nor `commit`: one exchange is one transaction. A commit that the
 * server turned into a rollback (a failed statement whose error was caught) is reported, never taken for success.
 */
async function transactionOn<T>(
  client: PoolClient,
  body: (tx: Tx) => Promise<T>,
  options: Readonly<{ keyring: Keyring; isLong: boolean; exchange: Exchanging }>,
): Promise<T> {
  const exchange: Exchanging = (client, asked) =>
    options.exchange(client, asked, options.isLong ? LONG_MS + SILENCE_MS : undefined)
  const trailing: Trailing[] = []
  let waiting: Asked[] = []
  let isBegun = false
  let isOver = false
  const leave = (): void => {
    if (waiting.length > 0) send(exchange(client, waiting))
    waiting = []
  }
  // Where one of several branches fails, the others may still be about to ask; by then the connection is another's.
  const ask: Ask = (query) =>
    isOver
      ? Promise.reject(new InvariantError('a transaction that has ended is asked nothing'))
      : answerTo(query, (asked) => {
          if (waiting.length === 0) process.nextTick(leave)
          if (!isBegun) waiting.push(...beginning(options))
          isBegun = true
          waiting.push(asked)
        })
  const trail: Tx['trail'] = (query, heard) => {
    invariant(!isOver, 'a transaction that has ended writes nothing')
    trailing.push({ query, heard })
  }
  const flush: Tx['flush'] = async () => {
    const asked = trailing.splice(0).map(async ({ query, heard }) => {
      const { count } = await ask(query)
      heard?.ran?.()
      heard?.counted?.(count)
    })
    await Promise.all(asked)
  }
  const rollBack = async (error: unknown): Promise<void> => {
    leave()
    // A lost connection is thrown away, and its transaction with it.
    if (isBegun && !isUnavailable(error))
      await exchange(client, [asking(ROLLBACK)]).catch(() => undefined)
  }
  try {
    const result = await body(txOn(ask, { keyring: options.keyring, trail, flush }))
    isOver = true
    leave()
    await commit((asked) => exchange(client, asked), trailing, isBegun)
    return result
  } catch (error) {
    isOver = true
    await rollBack(error)
    throw error
  }
}

async function commit(
  send: (asked: readonly Asked[]) => Promise<void>,
  trailing: readonly Trailing[],
  isBegun: boolean,
): Promise<void> {
  const asked = trailing.map(({ query, heard }) =>
    asking(query, { ran: heard?.ran, answered: ({ count }) => heard?.counted?.(count) }),
  )
  if (!isBegun) {
    if (asked.length > 0) await send(asked)
    return
  }
  let outcome = ''
  const commit = asking(COMMIT, { answered: ({ command }) => void (outcome = command) })
  await send([...asked, commit])
  invariant(outcome === 'COMMIT', 'a transaction whose statement failed is not committed')
}

type Connections = Readonly<{ pool: Pool; hosts: DatabaseHosts; outage: Outage }>

/** Where each connection leads; only of use where there are several hosts. */
const addresses = new WeakMap<object, string>()

async function acquire({ pool, hosts }: Connections): Promise<PoolClient> {
  for (let tries = 1; ; tries += 1) {
    try {
      const client = await pool.connect()
      if (!hosts.isSeveral || addresses.get(client) === hosts.current()) return client
      client.release(true)
    } catch (error) {
      const isFound = hosts.isSeveral && tries === 1 && (await hosts.findWritable())
      if (!isFound) throw new DatabaseUnavailable(error)
    }
  }
}

/**
 * A connection that dies between two statements, or while it is given up, is noticed by its next user, if there is one;
 * it must not end the process.
 */
const noticedLater = (): void => undefined

async function withClient<T>(
  connections: Connections,
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  let client: PoolClient | undefined
  let isBroken = false
  try {
    client = await acquire(connections)
    forgetOldPlans(client)
    return await use(client)
  } catch (error) {
    isBroken = isUnavailable(error)
    if (isBroken) noticeFailure(connections, error as DatabaseUnavailable)
    throw error
  } finally {
    client?.release(isBroken)
  }
}

/** A host that has become a standby refuses writes: another one has been promoted, or will be. */
function noticeFailure({ hosts, outage }: Connections, error: DatabaseUnavailable): void {
  outage.failed(error)
  if (hosts.isSeveral) void hosts.findWritable()
}

function openPool(
  hosts: DatabaseHosts,
  { poolSize, ...timeouts }: Timeouts & { poolSize: number },
): Pool {
  const { connectMs } = timeouts
  const configure = configuration(timeouts)
  return new pg.Pool({
    /** A connection leads to the host that takes writes at the moment it is made. */
    Client: function HostClient(options: pg.ClientConfig) {
      const client = new pg.Client({ ...options, connectionString: hosts.current() })
      addresses.set(client, hosts.current())
      return client
    },
    async onConnect(client: PoolClient) {
      const query = { text: configure, query_timeout: connectMs } as pg.QueryConfig
      const { rows } = await client.query<{ read_only: string }>(query)
      if (hosts.isSeveral && rows[0]?.read_only !== 'off') throw new Error('the host is read-only')
    },
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    pipeline: true,
  } as unknown as pg.PoolConfig)
}

/** The server ends a statement by itself; the rest is for its words to come. */
const limitOf = (statementMs: number): number | undefined =>
  statementMs > 0 ? statementMs + SILENCE_MS : undefined

export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, log, keyring, tracer } = options
  const statementMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS
  const limited: Exchanging = (client, asked, limitMs = limitOf(statementMs)) =>
    exchange(client, asked, limitMs)
  const exchanging = tracer?.traceExchange(limited) ?? limited
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
  pool.on('connect', (client) => client.on('error', noticedLater))
  let isClosing = false
  // The pool does not wait for its last words with the server, which may be on its way down as well by then.
  const onError = (error: Error): void => void (isClosing || outage.failed(error))
  pool.on('error', onError)
  const nothingTrails = {
    keyring,
    trail: (): void => invariant(false, 'what trails does so in a transaction'),
    flush: async (): Promise<void> => undefined,
  }
  let retries = 0
  const askAlone: Ask = (query) =>
    withClient(connections, (client) =>
      answerTo(query, (asked) => send(exchanging(client, [asked]))),
    )
  /** Undefined for one that has failed, and for those behind it. */
  const askTogether = gather<Sql, Answer | undefined>(async (queries) => {
    const answers: Answer[] = []
    const asked = queries.map((query) => asking(query, { answered: (one) => answers.push(one) }))
    await withClient(connections, (client) => exchanging(client, asked)).catch((error: unknown) => {
      if (isUnavailable(error)) throw error
    })
    return answers
  })
  /** A round trip costs more than a look-up. Nobody's look-up fails for what another one asked. */
  const askByKey: Ask = async (query) => (await askTogether(query)) ?? askAlone(query)
  return {
    read: txOn(askAlone, { ...nothingTrails, askByKey }),
    async transaction(body, { isLong } = { isLong: false }) {
      const startedMs = performance.now()
      for (let tries = 1; ; tries += 1) {
        try {
          return await withClient(connections, (client) =>
            transactionOn(client, body, { keyring, isLong, exchange: exchanging }),
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
