import pg from 'pg'
import { USER, type Cluster } from './cluster.ts'

/** The service's own database in the cluster. */
const DATABASE = 'florin'
/** Always there; for what cannot be done from inside the service's own. */
const MAINTENANCE_DATABASE = 'postgres'
const CONNECT_LIMIT_MS = 2_000
/** Two ways in which PostgreSQL says that another process was a moment faster. */
const EXISTS_ALREADY = ['42P04', '23505']

type Address = Readonly<{ cluster: Cluster; port: number }>

export function urlOf({ cluster, port }: Address, database = DATABASE): string {
  return `postgres://${USER}:${cluster.password}@127.0.0.1:${port}/${database}`
}

async function withClient<T>(address: Address, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: urlOf(address, MAINTENANCE_DATABASE),
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  })
  // A connection lost between two statements is reported by the next one.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Whether the server of this cluster, and no other, answers there: only it knows the password, on both sides. */
export function answers(address: Address): Promise<boolean> {
  return withClient(address, async (client) => {
    await client.query('select 1')
    return true
  }).catch(() => false)
}

export async function ensureDatabase(address: Address): Promise<void> {
  await withClient(address, async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (found.rowCount !== 0) return
    await client.query(`create database ${DATABASE}`).catch((error: unknown) => {
      if (!EXISTS_ALREADY.includes((error as { code?: string }).code ?? '')) throw error
    })
  })
}
