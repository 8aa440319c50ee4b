import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { systemClock } from '../../kernel/clock.ts'
import { createHosts } from './connection/hosts.ts'
import { grantRights } from './service-rights.ts'
import { sql } from './statement/sql.ts'
import type { Tx } from './tx.ts'

export type Migration = Readonly<{ version: number; name: string; text: string; checksum: string }>

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url))
const FILE = /^(\d{4})-([a-z0-9-]+)\.sql$/
/** The advisory lock, an arbitrary number, on which processes that start together take turns. */
const LOCK = 4_613_721

export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${folder}/${name}`, 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { version: parseInt(name, 10), name, text, checksum }
    }),
  )
}

export class MigrationError extends Error {
  override name = 'MigrationError'
}

const messageOf = (error: unknown): string =>
  // For a host name with several addresses, it has one error for each.
  error instanceof AggregateError
    ? error.errors.map(messageOf).join('; ')
    : error instanceof Error
      ? error.message
      : String(error)

const CONNECT_TIMEOUT_MS = 10_000

const OLDEST = { number: 150_000, name: 'PostgreSQL 15' }

async function connect(address: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    throw new MigrationError(`the database cannot be reached: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

type Server = Readonly<{ address: string; isDirect: boolean }>

async function mustServe(client: pg.Client, { address, isDirect }: Server): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  )
  const [version] = rows
  if (!version || version.number < OLDEST.number) {
    throw new MigrationError(
      `the database is PostgreSQL ${version?.name}; ${OLDEST.name} or newer is needed`,
    )
  }
  if (!isDirect && (await isSharedPerTransaction(client, address))) {
    throw new MigrationError(
      'the database is behind a pooler in transaction mode, which loses prepared statements, session locks and ' +
        'notifications. Set pool_mode to session for this database, or point DATABASE_URL at PostgreSQL itself.',
    )
  }
}

/**
 * Whether a pooler gives the server process of this connection to others between transactions. Two direct connections
 * that are open at once always have two processes.
 */
async function isSharedPerTransaction(client: pg.Client, address: string): Promise<boolean> {
  const other = new pg.Client({ connectionString: address, query_timeout: CONNECT_TIMEOUT_MS })
  other.on('error', () => undefined)
  try {
    await other.connect()
    const before = await processOf(client)
    await other.query('begin')
    return (await processOf(other)) === before || (await processOf(client)) !== before
  } finally {
    await other.end().catch(() => undefined)
  }
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Connects and runs `body`. Any refusal of the server (rights, writes, connections) becomes a MigrationError. */
async function onDatabase<T>(
  url: string,
  { isDirect }: Pick<Server, 'isDirect'>,
  body: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const hosts = createHosts(url)
  if (hosts.isSeveral && !(await hosts.findWritable())) {
    throw new MigrationError('none of the hosts in DATABASE_URL takes writes')
  }
  const client = await connect(hosts.current())
  try {
    await mustServe(client, { address: hosts.current(), isDirect })
    return await body(client)
  } catch (error) {
    if (error instanceof MigrationError) throw error
    const message = `the database cannot be prepared: ${messageOf(error)}`
    throw new MigrationError(message, { cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function appliedVersions(client: pg.Client): Promise<Map<number, string>> {
  await client.query(
    `create table if not exists schema_migrations (
       version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null)`,
  )
  const { rows } = await client.query<{ version: number; checksum: string }>(
    'select version, checksum from schema_migrations order by version',
  )
  return new Map(rows.map((row) => [row.version, row.checksum]))
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.text)
    await client.query('insert into schema_migrations values ($1, $2, $3, $4)', [
      migration.version,
      migration.name,
      migration.checksum,
      systemClock.now(),
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new MigrationError(`migration ${migration.name} failed: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

export type MigrateOptions = Readonly<{
  migrations?: readonly Migration[]
  /** The service's address, where the service does not own the tables. */
  serviceUrl?: string
  /** There is no pooler in between: the embedded database. */
  isDirect?: boolean
  /** The server ends a session that is idle for so long, because its process is gone and may hold the lock. */
  idleMs?: number
}>

const IDLE_MS = 30_000

/**
 * Brings the database to the newest schema. Each file is one transaction, so a crash leaves it whole or untouched;
 * an advisory lock makes processes that start together take turns. Returns the names of the applied files.
 */
export async function migrate(
  url: string,
  { migrations, serviceUrl = url, isDirect = false, idleMs = IDLE_MS }: MigrateOptions = {},
): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations())
  return onDatabase(url, { isDirect }, async (client) => {
    await client.query(`set idle_session_timeout = ${idleMs}`)
    await client.query(`set idle_in_transaction_session_timeout = ${idleMs}`)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const applied = await appliedVersions(client)
    for (const { version, checksum, name } of wanted) {
      if ((applied.get(version) ?? checksum) !== checksum) {
        const changed = `migration ${name} was changed after it had been applied`
        const remedy = 'put its text back; a database for development can be created again instead'
        throw new MigrationError(`${changed}: ${remedy}`)
      }
    }
    const missing = wanted.filter(({ version }) => !applied.has(version))
    for (const migration of missing) await applyOne(client, migration)
    await grantRights(client, { serviceUrl, isChanged: missing.length > 0 })
    return missing.map(({ name }) => name)
  })
}

/** The migrations of this build that are not applied; a newer database has them all and serves older processes too. */
async function missingIn(applied: readonly Readonly<{ version: number }>[]): Promise<string[]> {
  const versions = new Set(applied.map(({ version }) => version))
  const migrations = await readMigrations()
  return migrations.filter(({ version }) => !versions.has(version)).map(({ name }) => name)
}

/** Whether the database has every migration of this build. */
export async function isMigrated(tx: Tx): Promise<boolean> {
  const applied = await tx.many<{ version: number }>(sql`select version from schema_migrations`)
  return (await missingIn(applied)).length === 0
}

function findMissing(url: string): Promise<string[]> {
  return onDatabase(url, { isDirect: false }, async (client) => {
    const known = await client.query<{ isThere: boolean }>(
      `select to_regclass('schema_migrations') is not null as "isThere"`,
    )
    const applied = known.rows[0]?.isThere
      ? await client.query<{ version: number }>('select version from schema_migrations')
      : undefined
    return missingIn(applied?.rows ?? [])
  })
}

/** Throws a MigrationError that names the missing migrations. */
export async function mustBeMigrated(url: string): Promise<void> {
  const missing = await findMissing(url)
  if (missing.length === 0) return
  throw new MigrationError(
    `the database is behind this build: it lacks ${missing.join(', ')}. Run \`florin migrate\`, or start the service.`,
  )
}
