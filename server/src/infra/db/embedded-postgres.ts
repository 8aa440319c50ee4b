/**
 * The default database: a real PostgreSQL on this machine, for this data folder, supervised by this process (CORE-80).
 *
 * The process that starts it owns it: it stops with its owner, and is restarted if it dies. A second process on the same
 * data folder (the operator command beside the service) adopts the running server as a guest and leaves it running;
 * should the owner leave first, a guest takes over at the same address. A server whose owner was killed is adopted and
 * owned.
 */
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { adoptFolder, openCluster, type Cluster } from './embedded/cluster.ts'
import { ensureDatabase, serviceUrlOf, urlOf, identifyServer } from './embedded/connection.ts'
import { findLauncher } from './embedded/binaries.ts'
import { EmbeddedPostgresError } from './embedded/embedded-postgres-error.ts'
import { disown, isOrphaned, own } from './embedded/owner.ts'
import {
  endPostmaster,
  findFreePort,
  findPostmaster,
  launch,
  type Launched,
  type ServerSettings,
} from './embedded/postmaster.ts'
import { untilEnded } from './embedded/processes.ts'

type EmbeddedLog = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (message: string) => void>>

export type EmbeddedPostgresOptions = Readonly<{
  dataDir: string
  log: EmbeddedLog
  /** Server parameters beside or instead of our own, as in `postgres -c name=value`. */
  extraOptions?: ServerSettings
  reachableDir?: string
  /** Called once the server process runs, while it still starts up. */
  onLaunched?: (() => void) | undefined
}>

export type EmbeddedPostgres = Readonly<{
  /** The address for the owner of the tables. */
  url: string
  /** The address for the role of the service (OPER-52). */
  serviceUrl: string
  /** The folder with `cluster` and `password`. */
  folder: string
  /** The server was running already. */
  adopted: boolean
  /** Stops the server and waits for its end, unless it belongs to another process. */
  stop(): Promise<void>
}>

const REACHABLE_DIR = process.platform === 'darwin' ? '/var/db/florin' : '/var/lib/florin'
/** Long enough to recover from a crash in the middle of heavy writing on a slow disk. */
const START_LIMIT_MS = 120_000
const RETRY_MS = 100
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/** Whether a data folder has a database already; starting one would create it. */
export const hasEmbeddedDatabase = (dataDir: string): boolean =>
  lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false }) !== undefined

/** Creates the database of a data folder from the files that `fill` puts into an empty one: `cluster` and `password`. */
export const placeEmbeddedDatabase = (
  dataDir: string,
  fill: (folder: string) => Promise<void>,
): Promise<void> => adoptFolder({ dataDir, reachableDir: REACHABLE_DIR }, fill)

/** Whether an address leads to the database of a data folder: only that one has its password. */
export function isEmbeddedIn(dataDir: string, databaseUrl: string): boolean {
  if (!hasEmbeddedDatabase(dataDir)) return false
  const password = readFileSync(join(dataDir, 'postgres', 'password'), 'utf8').trim()
  return databaseUrl.includes(`:${password}@`)
}

export async function startEmbeddedPostgres({
  dataDir,
  log,
  extraOptions: settings = {},
  reachableDir = REACHABLE_DIR,
  onLaunched,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster({ dataDir, reachableDir })
  const spec = { cluster, settings, log, onLaunched }
  const running = await adoptOrLaunch(spec)
  log.info(`embedded database in ${cluster.folder}, on port ${running.port}`)
  const stop = supervise(spec, running)
  try {
    if (!running.isComplete) await ensureDatabase({ cluster, port: running.port })
  } catch (error) {
    await stop()
    throw error
  }
  const address = { cluster, port: running.port }
  const urls = { url: urlOf(address), serviceUrl: serviceUrlOf(address) }
  return { ...urls, folder: cluster.folder, adopted: running.isAdopted, stop }
}

type ServerSpec = Readonly<{
  cluster: Cluster
  settings: ServerSettings
  log: EmbeddedLog
  /** The port to start on; at first any free one. */
  port?: number
  onLaunched?: (() => void) | undefined
}>

type Running = Readonly<{
  pid: number
  port: number
  isAdopted: boolean
  isGuest: boolean
  /** The server is known to have the service's database and role. */
  isComplete: boolean
  untilEnded(signal: AbortSignal): Promise<void>
}>

/**
 * Adopts the running server or launches one. A stopping server, or the last processes of a killed one, hold the folder a
 * while longer; PostgreSQL then refuses a second server, and the launch is retried.
 */
async function adoptOrLaunch(spec: ServerSpec): Promise<Running> {
  const { cluster, settings, log } = spec
  const deadline = performance.now() + START_LIMIT_MS
  for (;;) {
    const adopted = await adopt(cluster)
    if (adopted !== undefined) return adopted
    if (await isOrphaned(cluster)) await disown(cluster)
    const port = spec.port ?? Number(settings['port'] ?? (await findFreePort()))
    const onLine = (line: string): void => log[isWorthAWarning(line) ? 'warn' : 'debug'](line)
    const launcher = await findLauncher(cluster.account)
    const launched = await launch({ cluster, port, settings, onLine, launcher })
    spec.onLaunched?.()
    if (await isReadyBefore({ launched, deadline })) {
      await mustOwn(cluster, launched)
      const untilEnded = (): Promise<void> => launched.ended
      return { ...launched, isAdopted: false, isGuest: false, isComplete: false, untilEnded }
    }
    const isOver = performance.now() > deadline
    if (isOver || !isTransient(launched.lastLogLines())) {
      throw new EmbeddedPostgresError(
        `The embedded database in ${cluster.folder} does not start: ${launched.lastLogLines()}`,
      )
    }
    await wait(RETRY_MS)
  }
}

/** Records this process as the owner, or stops the server: the next try would take one without an owner for another's. */
async function mustOwn(cluster: Cluster, { pid }: Launched): Promise<void> {
  try {
    await own(cluster)
  } catch (error) {
    await endPostmaster(pid)
    throw error
  }
}

async function adopt(cluster: Cluster): Promise<Running | undefined> {
  const found = await findPostmaster(cluster)
  if (found === undefined) return undefined
  const answer = await identifyServer({ cluster, ...found })
  if (answer === undefined) return undefined
  const isGuest = !(await isOrphaned(cluster))
  if (!isGuest) await own(cluster)
  return {
    ...found,
    ...answer,
    isAdopted: true,
    isGuest,
    untilEnded: (signal) => untilEnded(found.pid, signal),
  }
}

async function isReadyBefore(limit: { launched: Launched; deadline: number }): Promise<boolean> {
  const { launched, deadline } = limit
  const over = new AbortController()
  const timeout = wait(deadline - performance.now(), false, { signal: over.signal })
  try {
    const isReady = await Promise.race([launched.isReady, timeout])
    if (!isReady) await endPostmaster(launched.pid)
    return isReady
  } finally {
    over.abort()
    await timeout.catch(() => undefined)
  }
}

/** Whether a later launch may succeed: the folder is still held, or another program took the free port first. */
const isTransient = (words: string): boolean =>
  /lock file .* already exists|shared memory block|could not create any TCP\/IP sockets/.test(words)

const isWorthAWarning = (line: string): boolean => /^(WARNING|ERROR|PANIC):/.test(line)

/** Retries until it succeeds or is aborted, because causes such as a full disk pass. */
async function restartServer(spec: ServerSpec, signal: AbortSignal): Promise<Running | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs *= 2) {
    try {
      return await adoptOrLaunch(spec)
    } catch (error) {
      spec.log.error(String(error))
    }
    await wait(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => undefined)
  }
  return undefined
}

/** Restarts the server on the same port whenever it ends unexpectedly. Returns a function that stops both. */
function supervise(spec: ServerSpec, first: Running): () => Promise<void> {
  const { cluster, log } = spec
  const over = new AbortController()
  /** Undefined during a restart, since the process id may belong to another program by then. */
  let current: Running | undefined = first
  let stopped: Promise<void> | undefined

  /** A guest leaves the server running for its owner. */
  const stopOwnServer = async (): Promise<void> => {
    if (current?.isGuest === false) await endPostmaster(current.pid)
  }
  const watch = async (): Promise<void> => {
    while (current !== undefined) {
      const { isGuest, untilEnded }: Running = current
      await untilEnded(over.signal)
      if (stopped !== undefined) return
      if (isGuest) log.warn('the owner of the embedded database has ended, we take over')
      else log.error('the embedded database ended by itself, it is started again')
      current = undefined
      current = await restartServer({ ...spec, port: first.port }, over.signal)
      if (current !== undefined && current.port !== first.port) {
        log.error('the embedded database has moved to another port, this process needs a restart')
      }
      if (stopped !== undefined) await stopOwnServer()
    }
  }
  const watched = watch().catch((error: unknown) => log.error(String(error)))

  return () => {
    stopped ??= (async () => {
      over.abort()
      await stopOwnServer()
      await watched
      if (current?.isGuest !== true) await disown(cluster)
    })()
    return stopped
  }
}
