import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../server/src/infra/db/embedded-postgres.ts'
import { isAlive } from '../../server/src/infra/db/embedded/processes.ts'
import { migrate } from '../../server/src/infra/db/migrate.ts'

export type TestDatabase = Readonly<{
  /** What `cloneDatabase` of the test kit reads, and room for databases that tests make by themselves. */
  environment: Readonly<Record<'TEST_DATABASE_URL' | 'TEST_TEMPLATE' | 'TEST_SCRATCH', string>>
  stop(): Promise<void>
}>

const TEMPLATE = 'template_florin'
const MEMORY_DISK = '/dev/shm'
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3
const FOLDER = /^florin-test-(\d+)-/

/** Nothing here has to outlive the run, and every file of tests holds several pools of connections. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '256MB',
  max_connections: '300',
  // By default each of the thousands of connections derives a key from the password in 4,096 rounds.
  scram_iterations: '1',
}

/** A server in a folder of its own with a migrated template; stopping it leaves nothing behind. */
export async function startTestDatabase(): Promise<TestDatabase> {
  for (const parent of [MEMORY_DISK, tmpdir()]) await removeLeftovers(parent)
  const parent = await findRoom()
  const folder = await mkdtemp(join(parent, `florin-test-${process.pid}-`))
  // Patiently: a server whose test was killed may still be writing its last words.
  const remove = (): Promise<void> =>
    rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  // Root's server runs under another account, which has to get through.
  await chmod(folder, 0o755)
  const log = { debug: ignore, info: ignore, warn: console.error, error: console.error }
  try {
    const server = await startEmbeddedPostgres({ dataDir: folder, log, extraOptions: SETTINGS })
    const stop = async (): Promise<void> => {
      await server.stop()
      await remove()
    }
    await makeTemplate(server).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return {
      environment: {
        TEST_DATABASE_URL: server.url,
        TEST_TEMPLATE: TEMPLATE,
        TEST_SCRATCH: folder,
      },
      stop,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

const ignore = (): void => undefined

/** In memory where it is large enough: cloning a database makes some three hundred files. */
async function findRoom(): Promise<string> {
  const disk = await statfs(MEMORY_DISK).catch(() => undefined)
  const isRoomy = disk !== undefined && disk.bavail * disk.bsize > MEMORY_NEEDED_BYTES
  return isRoomy ? MEMORY_DISK : tmpdir()
}

/** Of runs that were killed. What belongs to another user stays. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const runner = FOLDER.exec(name)?.[1]
    if (runner === undefined || isAlive(Number(runner))) continue
    await rm(join(parent, name), { recursive: true, force: true }).catch(ignore)
  }
}

async function makeTemplate(server: EmbeddedPostgres): Promise<void> {
  const { url: adminUrl } = server
  const [url, serviceUrl] = [adminUrl, server.serviceUrl].map((one) => {
    const address = new URL(one)
    address.pathname = TEMPLATE
    return address.href
  }) as [string, string]
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { username, password } = new URL(adminUrl)
    // Set by initdb, which knows nothing of our settings.
    await client.query(`alter role ${username} password '${password}'`)
    await client.query(`create database ${TEMPLATE}`)
    await migrate(url, { serviceUrl })
    // A database in use cannot be cloned.
    await client.query(`alter database ${TEMPLATE} with allow_connections false`)
  } finally {
    await client.end()
  }
}
