/** The pool of connections: how they are configured, opened on the host that accepts writes, and discarded. */
import pg from 'pg'
import type { Pool, PoolClient } from 'pg'
import { forgetOldPlans } from './forget-old-plans.ts'
import type { DatabaseHosts } from './hosts.ts'
import type { Outage } from './outage.ts'
import { DatabaseUnavailable, isUnavailable } from './unavailable.ts'

/** Never closed when idle: the plans and caches of a connection are worth more than its memory. */
const IDLE_TIMEOUT_MS = 0
/** Keeps the network from dropping idle connections, and detects dead ones. */
const KEEP_ALIVE_MS = 30_000
/**
 * The idle limit inside a transaction, in statement timeouts. Without it the server would keep the locks of a process
 * that is cut off until the network gives up, for hours.
 */
const IDLE_PER_STATEMENT = 2

/**
 * Generic plans: our statements are keyed look-ups whose best plan does not depend on the values, and planning a
 * set-based statement at each call costs more than running it. A plan made while a table was small would scan, merge or
 * hash the whole table until the next analyze; so these are the last resort, and each key is looked up by index
 * (decision 0016).
 */
const PLANNING = [
  'plan_cache_mode=force_generic_plan',
  ...['seqscan', 'mergejoin', 'hashjoin', 'material'].map((way) => `enable_${way}=off`),
]

type Timeouts = Readonly<{ connectMs: number; lockMs: number; statementMs: number }>

/** Sets parameters on the open connection, because a pooler in between would refuse them as startup options. */
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

export type Connections = Readonly<{ pool: Pool; hosts: DatabaseHosts; outage: Outage }>

/** The host of each connection; only used where there are several hosts. */
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

/** Runs `use` with a connection of the pool, and discards the connection if the database fails. */
export async function withClient<T>(
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
    if (isBroken) recordFailure(connections, error as DatabaseUnavailable)
    throw error
  } finally {
    client?.release(isBroken)
  }
}

/** Records the failure. The host may have become a standby, so the promoted one is searched. */
function recordFailure({ hosts, outage }: Connections, error: DatabaseUnavailable): void {
  outage.failed(error)
  if (hosts.isSeveral) void hosts.findWritable()
}

export function openPool(
  hosts: DatabaseHosts,
  { poolSize, ...timeouts }: Timeouts & { poolSize: number },
): Pool {
  const { connectMs } = timeouts
  const configure = configuration(timeouts)
  const pool = new pg.Pool({
    /** Connects to the host that accepts writes at this moment. */
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
  // A connection that dies between two statements must not end the process; its next user notices it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
