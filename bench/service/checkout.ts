import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '../../server/src/infra/db/embedded-postgres.ts'
import { createLog } from '../../server/src/infra/logging/log.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

export type Served = Readonly<{
  origin: string
  /** Of the other processes on the same database. */
  neighbours: readonly string[]
  credentials: { platformId: string; clientId: string; clientSecret: string; tokenId: string }
  databaseUrl: string
}>

/** A service in a process of its own, on a fresh database with fsync on, as a user would run it. */
export type Checkout = Served &
  Readonly<{
    /** Runs the operator's command line of this checkout. */
    florin(line: string): Promise<unknown>
    /** The first of them is at `origin`. */
    services: readonly ChildProcess[]
    /** Where the files of its database lie. */
    cluster: string
    stop(): Promise<void>
  }>

/** Starts what lies in `root` through its command line and HTTP alone, which commits far apart have in common. */
export async function startCheckout({
  root = ROOT,
  settings = {},
  processes = 1,
}: Readonly<{
  root?: string
  settings?: NodeJS.ProcessEnv
  processes?: number
}> = {}): Promise<Checkout> {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  const log = createLog({ logLevel: 'error' })
  const database = await startEmbeddedPostgres({ dataDir, log })
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_SECOND: '0',
    PORT: '0',
    ADMIN_PORT: '0',
    ...settings,
  }
  const bin = join(root, 'server/src/bin')
  const services: ChildProcess[] = []
  const origins: string[] = []
  // One after the other, as a deployment would: the first migrates the database.
  for (let started = 0; started < processes; started += 1) {
    const service = fork(join(bin, 'server.ts'), {
      cwd: dataDir,
      env,
      execArgv: ['--import', join(import.meta.dirname, 'probe.ts')],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    services.push(service)
    origins.push(await untilServing(service))
  }
  const [origin = '', ...neighbours] = origins
  const florin: Checkout['florin'] = async (line) => {
    const args = [join(bin, 'florin.ts'), ...line.split(' '), '--json']
    return JSON.parse((await run(process.execPath, args, { cwd: dataDir, env })).stdout)
  }
  const credentials = (await florin(
    'platforms create --name Bench --kind REGULATED --environment SANDBOX --currencies USD,EUR,BTC',
  )) as Served['credentials']
  return {
    ...{ origin, neighbours, credentials, databaseUrl: database.url, services, florin },
    cluster: join(database.folder, 'cluster'),
    async stop() {
      const gone = services.map((service) => once(service, 'exit'))
      services.forEach((service) => service.kill('SIGTERM'))
      await Promise.all(gone)
      await database.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The address that a service prints once it listens. */
async function untilServing(service: ChildProcess): Promise<string> {
  let printed = ''
  for await (const chunk of service.stdout ?? []) {
    printed += String(chunk)
    const origin = /API +(http:\/\/\S+?)\/\d/.exec(printed)?.[1]
    if (origin !== undefined) {
      service.stdout?.resume()
      return origin
    }
  }
  throw new Error(`the service ended: ${printed}`)
}

/** Another commit beside this one, for as long as `use` lasts; it runs with the packages of this one. */
export async function withCommit<T>(commit: string, use: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'florin-commit-'))
  await run('git', ['worktree', 'add', '--detach', '--force', root, commit], { cwd: ROOT })
  try {
    for (const packages of ['node_modules', 'server/node_modules']) {
      await symlink(join(ROOT, packages), join(root, packages))
    }
    return await use(root)
  } finally {
    await run('git', ['worktree', 'remove', '--force', root], { cwd: ROOT })
  }
}
