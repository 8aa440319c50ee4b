/** Finds, launches and stops the server process. */
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

/** Called with each line of the server's log. */
export type LogLineHandler = (message: string) => void

const SETTINGS: ServerSettings = {
  // Not reachable from another machine; other accounts of this one need the password.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  // Pages are written out in the background, not by the backend that needs room for a payment.
  bgwriter_delay: '50ms',
  bgwriter_lru_maxpages: '1000',
  // Payments at full speed write some 35 MB of log a second; with the default a checkpoint would start every few seconds
  // and delay every payment of that moment.
  max_wal_size: '2GB',
  // Payments that need a new log segment would wait 30 ms and more while it is filled with zeros.
  wal_init_zero: 'off',
  // A new database grows quickly; until its tables are analyzed, the planner takes them for empty.
  autovacuum_naptime: '5s',
  // A fifth of the default sample serves our plans as well, and tables that only grow rarely need a vacuum.
  default_statistics_target: '20',
  autovacuum_vacuum_insert_threshold: '100000',
  // Analyzed again once a table has doubled; the planner reads the present size of a table by itself.
  autovacuum_analyze_scale_factor: '1',
  jit: 'off',
  timezone: 'UTC',
  // The service logs refused statements itself, without their values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '',
  log_timezone: 'UTC',
}

const FAST_SHUTDOWN_MS = 30_000
const IMMEDIATE_SHUTDOWN_MS = 10_000

/** The server of this cluster according to PostgreSQL's pid file, if it is still running. */
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

/** Whether the process is PostgreSQL; assumed where there is no /proc. */
async function isPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  return name.trim() === 'postgres'
}

/**
 * Replaces a stale process id in the pid file. After a power cut it may belong to another program, and PostgreSQL would
 * refuse to start. It ignores the id of its own parent, and still checks whether its shared memory is in use.
 */
async function replaceStalePid(cluster: Cluster): Promise<void> {
  const [pid, ...rest] = await readPidFile(cluster)
  if (pid === undefined || (await findPostmaster(cluster)) !== undefined) return
  await writeFile(pidFileOf(cluster), [String(process.pid), ...rest].join('\n'))
}

export type Launched = Readonly<{
  pid: number
  port: number
  /** Resolves to true when the server reports that it is ready; to false when it ended instead. */
  isReady: Promise<boolean>
  /** For the error message, when the server did not start. */
  lastLogLines: () => string
  ended: Promise<void>
}>

export async function launch(options: {
  cluster: Cluster
  port: number
  settings: ServerSettings
  onLine: LogLineHandler
  /** The command in front of the program. */
  launcher: readonly string[]
}): Promise<Launched> {
  const { cluster, port } = options
  await replaceStalePid(cluster)
  const settings = Object.entries({ ...SETTINGS, ...options.settings, port: String(port) })
  const [program = '', ...args] = [
    ...options.launcher,
    ...[cluster.binaries.postgres, '-D', dataFolderOf(cluster)],
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const child = spawn(program, args, {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    ...spawnIdsOf(cluster.account),
    stdio: ['ignore', 'ignore', 'pipe'],
    // A separate process group: Ctrl-C in the terminal must not stop it before the service has finished.
    detached: true,
  })
  return follow({ child, port, onLine: options.onLine })
}

const LAST_LINES = 20

function follow(of: { child: ChildProcess; port: number; onLine: LogLineHandler }): Launched {
  const { child } = of
  const lines: string[] = []
  const ready = Promise.withResolvers<boolean>()
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      ready.resolve(false)
      resolve()
    })
    child.on('error', (error) => {
      lines.push(error.message)
      ready.resolve(false)
      resolve()
    })
  })
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      if (lines.length > LAST_LINES) lines.shift()
      of.onLine(line)
      if (line.endsWith('database system is ready to accept connections')) ready.resolve(true)
    })
  }
  const { pid = NaN } = child
  const lastLogLines = (): string => lines.join('\n')
  return { pid, port: of.port, isReady: ready.promise, lastLogLines, ended }
}

/** Requests a fast shutdown, then, if that takes too long, an immediate one, after which the next start recovers. */
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
