/** One running server process: found by its pid file, launched, waited for, ended. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { spawnIdsOf } from './account.ts'
import { SERVER_ENVIRONMENT } from './binaries.ts'
import { dataFolderOf, type Cluster } from './cluster.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { hasEndedWithin, isAlive } from './processes.ts'

export type Postmaster = Readonly<{ pid: number; port: number }>

export type ServerSettings = Readonly<Record<string, string>>

/** Messages of the server's log, one a call. */
export type Heard = (message: string) => void

const SETTINGS: ServerSettings = {
  // No way in from another machine, and only with the password from another account of this one.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  // Pages are written out in the background, not by the backend that needs room for a payment.
  bgwriter_delay: '50ms',
  bgwriter_lru_maxpages: '1000',
  // Payments write some 35 MB of log a second when they come as fast as they can; the default would have a checkpoint
  // begin every few seconds then, and every payment of that moment wait.
  max_wal_size: '2GB',
  // The payments that need a new segment of the log would wait 30 ms and more while it is filled with zeros.
  wal_init_zero: 'off',
  // A young database grows quickly; what is not counted soon is planned for as if it were still empty.
  autovacuum_naptime: '5s',
  // A fifth of the rows that are looked at by default tells our plans as much, and rows that are only added leave nothing
  // to clear away for long.
  default_statistics_target: '20',
  autovacuum_vacuum_insert_threshold: '100000',
  // Counted again once it has doubled: the planner reads the present size of a table by itself.
  autovacuum_analyze_scale_factor: '1',
  jit: 'off',
  timezone: 'UTC',
  // Refused statements are the service's business, which logs them itself without the values in them.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '',
  log_timezone: 'UTC',
}

const FAST_SHUTDOWN_MS = 30_000
const IMMEDIATE_SHUTDOWN_MS = 10_000

/** What PostgreSQL itself wrote down about the server of this cluster, if that is still running. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const lines = await readPidFile(cluster)
  const [pid = NaN, port = NaN] = [lines[0], lines[3]].map(Number)
  return isAlive(pid) && (await isPostgres(pid)) ? { pid, port } : undefined
}

const pidFileOf = (cluster: Cluster): string => join(dataFolderOf(cluster), 'postmaster.pid')

async function readPidFile(cluster: Cluster): Promise<string[]> {
  const text = await readFile(pidFileOf(cluster), 'utf8').catch(() => '')
  return text === '' ? [] : text.split('\n')
}

/** Without /proc nothing speaks against it. */
async function isPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  return name.trim() === 'postgres'
}

/**
 * After a power cut the id in the pid file may belong to some other program by now, for which PostgreSQL would wait in
 * vain. It takes the id of its own parent for a leftover, and then still looks whether its memory is in use.
 */
async function disownStalePidFile(cluster: Cluster): Promise<void> {
  const [pid, ...rest] = await readPidFile(cluster)
  if (pid === undefined || (await findPostmaster(cluster)) !== undefined) return
  await writeFile(pidFileOf(cluster), [String(process.pid), ...rest].join('\n'))
}

export type Launched = Readonly<{
  pid: number
  port: number
  /** Resolves when the server says that it is ready; false when it ended instead. */
  isReady: Promise<boolean>
  /** Its last messages: what to show when it did not come up. */
  lastWords: () => string
  ended: Promise<void>
}>

export async function launch(wish: {
  cluster: Cluster
  port: number
  settings: ServerSettings
  heard: Heard
  /** What to put in front of the program. */
  launcher: readonly string[]
}): Promise<Launched> {
  const { cluster, port } = wish
  await disownStalePidFile(cluster)
  const settings = Object.entries({ ...SETTINGS, ...wish.settings, port: String(port) })
  const [program = '', ...args] = [
    ...wish.launcher,
    ...[cluster.binaries.postgres, '-D', dataFolderOf(cluster)],
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const child = spawn(program, args, {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    ...spawnIdsOf(cluster.account),
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: Ctrl-C in the terminal must not stop it before the service has finished its work.
    detached: true,
  })
  return follow({ child, port, heard: wish.heard })
}

const LAST_WORDS = 20

function follow(of: { child: ChildProcess; port: number; heard: Heard }): Launched {
  const { child } = of
  const words: string[] = []
  const ready = Promise.withResolvers<boolean>()
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      ready.resolve(false)
      resolve()
    })
    child.on('error', (error) => {
      words.push(error.message)
      ready.resolve(false)
      resolve()
    })
  })
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      words.push(line)
      if (words.length > LAST_WORDS) words.shift()
      of.heard(line)
      if (line.endsWith('database system is ready to accept connections')) ready.resolve(true)
    })
  }
  const { pid = NaN } = child
  const lastWords = (): string => words.join('\n')
  return { pid, port: of.port, isReady: ready.promise, lastWords, ended }
}

/** Asks for a fast shutdown, and for an immediate one (the next start recovers) should that take too long. */
export async function endPostmaster(pid: number): Promise<void> {
  const orders = [
    { signal: 'SIGINT', limitMs: FAST_SHUTDOWN_MS },
    { signal: 'SIGQUIT', limitMs: IMMEDIATE_SHUTDOWN_MS },
  ] as const
  for (const { signal, limitMs } of orders) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    if (await hasEndedWithin({ pid, limitMs })) return
  }
  throw new EmbeddedPostgresError(`The embedded database (process ${pid}) does not stop.`)
}

export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen(0, host, resolve)
  })
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
