import pg from 'pg'
import { OWNER, SERVICE_ROLE, type Cluster } from './cluster.ts'

/** The service's own database in the cluster. */
const DATABASE = 'florin'
/** The database that every cluster has; for statements that cannot run in the service's own. */
const MAINTENANCE_DATABASE = 'postgres'
const LOOK_LIMIT_MS = 2_000
/** Long, because the machine may be busy with the start. */
const STARTED_LIMIT_MS = 30_000
/** Errors which mean that another process created the same thing first. */
const EXISTS_ALREADY = ['42P04', '42710', '23505']

type Address = Readonly<{ cluster: Cluster; port: number }>

export function urlOf(
  { cluster, port }: Address,
  { role = OWNER, database = DATABASE }: Readonly<{ role?: string; database?: string }> = {},
): string {
  return `postgres://${role}:${cluster.password}@127.0.0.1:${port}/${database}`
}

export const serviceUrlOf = (address: Address): string => urlOf(address, { role: SERVICE_ROLE })

async function withClient<T>(
  address: Address,
  limitMs: number,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: urlOf(address, { database: MAINTENANCE_DATABASE }),
    connectionTimeoutMillis: limitMs,
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

type ServerContents = Readonly<{ hasDatabase: boolean; hasRole: boolean }>

const LOOK = `select exists (select from pg_database where datname = $1) as "hasDatabase",
  exists (select from pg_roles where rolname = $2) as "hasRole"`

async function look(client: pg.Client): Promise<ServerContents> {
  const { rows } = await client.query<ServerContents>(LOOK, [DATABASE, SERVICE_ROLE])
  return rows[0] as ServerContents
}

/**
 * Returns undefined unless the server of this cluster answers there; only it has the password. `isComplete` tells whether
 * it has the database and role that `ensureDatabase` creates.
 */
export async function identifyServer(
  address: Address,
): Promise<{ isComplete: boolean } | undefined> {
  try {
    const { hasDatabase, hasRole } = await withClient(address, LOOK_LIMIT_MS, look)
    return { isComplete: hasDatabase && hasRole }
  } catch {
    return undefined
  }
}

/** Creates the service's database and role where they are missing: in a new cluster, or in one of an older release. */
export async function ensureDatabase(address: Address): Promise<void> {
  const { password } = address.cluster
  await withClient(address, STARTED_LIMIT_MS, async (client) => {
    const { hasDatabase, hasRole } = await look(client)
    if (!hasDatabase) await make(client, `create database ${DATABASE}`)
    if (!hasRole) await make(client, `create role ${SERVICE_ROLE} login password '${password}'`)
  })
}

async function make(client: pg.Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: unknown) => {
    if (!EXISTS_ALREADY.includes((error as { code?: string }).code ?? '')) throw error
  })
}
