import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import pg from 'pg'
import { canRead, isRoot } from '../../src/infra/db/embedded/account.ts'
import { isAlive } from '../../src/infra/db/embedded/processes.ts'
import { eventually } from '../kit/eventually.ts'

const PROGRAM = join(import.meta.dirname, 'database-owner.ts')

export type Place = Readonly<{ dataDir: string; reachableDir: string }>
export type Ids = Readonly<{ uid: number; gid: number }>

/** A folder that every account can pass, removed after the test; by the next run, should this one be killed. */
export async function makeFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, `florin-test-${process.pid}-`))
  await chmod(folder, 0o755)
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function makePlace(): Promise<Place> {
  const folder = await makeFolder(process.env['TEST_SCRATCH'])
  const place = { dataDir: join(folder, 'data'), reachableDir: join(folder, 'reachable') }
  await mkdir(place.dataDir)
  return place
}

/**
 * Gives places whose database was made before: initialising one takes most of a second. Call it once, at the top
 * of a test file.
 */
export async function prepareDatabase(): Promise<() => Promise<Place>> {
  const original = await makePlace()
  await (await startProcess(original)).end()
  return async () => {
    const place = await makePlace()
    await promisify(execFile)('cp', ['-a', join(original.dataDir, 'postgres'), place.dataDir])
    return place
  }
}

export type DatabaseProcess = Readonly<{
  url: string
  adopted: boolean
  /** Ends it as the service ends: the database is stopped first, if it is its own. */
  end(): Promise<void>
  kill(): Promise<void>
}>

type Options = Readonly<{ ids?: Ids; env?: NodeJS.ProcessEnv; withoutLauncher?: true }>

/** Starts the embedded database in a process of its own, as another user if asked. */
export async function startProcess(place: Place, options: Options = {}): Promise<DatabaseProcess> {
  const mode = options.withoutLauncher ? ['--without-launcher'] : []
  const child = spawn(process.execPath, [PROGRAM, place.dataDir, place.reachableDir, ...mode], {
    cwd: '/',
    stdio: 'pipe',
    env: options.env ?? process.env,
    ...options.ids,
  })
  const ended = once(child, 'close')
  const errors = text(child.stderr)
  const isUp = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)])
  if (isUp === undefined) throw new Error(`The process did not start the database: ${await errors}`)
  const { url, adopted } = JSON.parse(String(isUp[0])) as { url: string; adopted: boolean }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  after(kill)
  return {
    url,
    adopted,
    kill,
    async end() {
      child.stdin.end()
      const [code] = await ended
      assert.equal(code, 0, await errors)
    },
  }
}

/** `nobody`, on every Linux. */
export const ORDINARY: Ids = { uid: 65534, gid: 65534 }

/** Whether `startProcess` may start it as another user: as root, unless the checkout lies where only root may go. */
export async function canStartAsOthers(): Promise<boolean> {
  const paths = [PROGRAM, await realpath(process.execPath)]
  const reach = await Promise.all(paths.map((path) => canRead({ account: ORDINARY, path })))
  return isRoot() && reach.every(Boolean)
}

export async function serverPidOf({ dataDir }: Place): Promise<number> {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  return Number((await readFile(file, 'utf8')).split('\n')[0])
}

export const untilDead = (pid: number): Promise<void> =>
  eventually(() => assert.ok(!isAlive(pid), `process ${pid} is gone`))

/** The first column of the first row. */
export async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return (rows as unknown[][])[0]?.[0]
  } finally {
    await client.end()
  }
}
