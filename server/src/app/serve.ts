import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../infra/deps.ts'
import { findFreePort } from '../infra/db/embedded/postmaster.ts'
import { addressesOf } from '../infra/db/addresses.ts'
import { migrate } from '../infra/db/migrate.ts'
import { API_VERSION } from '../infra/http/api-version.ts'
import { releaseMemory } from './release-memory.ts'
import { compileValidators } from '../infra/http/schema/validate.ts'
import { verifyMasterKeys } from '../infra/settings/key-checks.ts'
import type { Log } from '../infra/logging/log.ts'
import { ensureMasterKey } from '../infra/settings/master-key.ts'
import { onPort, type Settings } from '../infra/settings/settings.ts'
import { recordChangedSettings } from '../operator/audit/changed-settings.ts'
import type { PlatformCredentials } from '../operator/create-platform.ts'
import { declareSingleOperator } from '../operator/proposals/declare-single-operator.ts'
import { createLink, dashboardOrigin } from '../operator/sign-in/dashboard-access.ts'
import { startFigures } from '../operator/figures/jobs.ts'
import { startRetention } from '../operator/retention/jobs.ts'
import { firstPlatform } from './first-platform.ts'
import { createFlorin, type Florin } from './florin.ts'
import { addPublicRoutes } from './public-routes.ts'
import { startDatabase, StartError, type StartedDatabase } from './start-database.ts'

export type Serving = Readonly<{
  baseUrl: string
  docsUrl: string
  metricsUrl: string | undefined
  /** Outside of production a link that signs in once; undefined where the admin listener is off. */
  dashboardUrl: string | undefined
  database: string
  /** Of the sandbox platform that a development installation creates at its first start. */
  credentials: PlatformCredentials | undefined
  stop(): Promise<void>
}>

export type ServeOptions = Readonly<{
  /** Finds a free port, where the settings name none. */
  findPort?: (host: string) => Promise<number>
  /** The database, which was started before this file was loaded. */
  database?: Promise<StartedDatabase>
  /** Called once the API answers, before the admin listener does. */
  onAnswering?: (stop: Stop) => void
}>

type Stop = () => Promise<void>

/** Starts everything one process serves: database where embedded, migrations, HTTP, admin listener. */
export async function serve(
  settings: Settings,
  log: Log,
  {
    findPort = findFreePort,
    database = startDatabase(settings, log),
    onAnswering,
  }: ServeOptions = {},
): Promise<Serving> {
  const started = await database
  const { embedded } = started
  const withDatabase =
    (stop: Stop): Stop =>
    async () => {
      await stop()
      await embedded?.stop()
    }
  const serveAt = (at: Settings): Promise<Serving> =>
    serveOn(started, at, (stop) => onAnswering?.(withDatabase(stop)))
  try {
    const serving = await (settings.port === 0
      ? serveOnAnyPort(settings, findPort, serveAt)
      : serveAt(settings))
    return { ...serving, stop: withDatabase(serving.stop) }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

const FREE_PORT_TRIES = 5

/** Links name the port before anything is served on it, so a free port is found first. */
async function serveOnAnyPort(
  settings: Settings,
  findPort: (host: string) => Promise<number>,
  serveAt: (settings: Settings) => Promise<Serving>,
): Promise<Serving> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await serveAt(onPort(settings, await findAt(settings.host, findPort)))
    } catch (error) {
      // Another program took the port first.
      if (!(error instanceof StartError && error.setting === 'PORT') || tries >= FREE_PORT_TRIES)
        throw error
    }
  }
}

/**
 * Starts the API first, because the dashboard takes a quarter of a start and payments do not wait for it. After a failure
 * everything is stopped except the database, which serves another try.
 */
async function serveOn(
  { embedded, log }: StartedDatabase,
  settings: Settings,
  onAnswering: (stop: Stop) => void,
): Promise<Serving> {
  const { databaseUrl, databaseOwnerUrl } = addressesOf(settings, embedded)
  await migrate(databaseOwnerUrl, {
    serviceUrl: databaseUrl,
    isDirect: embedded !== undefined,
  })
  const masterKey = settings.masterKey ?? ensureMasterKey(settings.dataDir)
  const florin = await createFlorin({ settings: { ...settings, databaseUrl, masterKey }, log })
  try {
    await verifyMasterKeys(florin.deps)
    await recordChangedSettings(florin.deps, settings)
    await declareSingleOperator(florin.deps)
  } catch (error) {
    await florin.stop()
    throw error
  }
  await startRetention(florin.deps)
  await startFigures(florin.deps)
  addPublicRoutes(florin.http, florin.deps)
  const isDevelopment = embedded !== undefined && !settings.production
  const credentials = isDevelopment ? await firstPlatform(florin.deps) : undefined
  let admin: FastifyInstance | undefined
  let deferred: NodeJS.Timeout | undefined
  const stop: Stop = async () => {
    clearTimeout(deferred)
    await florin.stop()
    await admin?.close()
  }
  try {
    const { host, port, publicUrl } = settings
    const adminAddress = { host: settings.adminHost, port: settings.adminPort, name: 'ADMIN_PORT' }
    if (adminAddress.port > 0) await mustBeFree(adminAddress)
    await listen(florin.http, { host, port, name: 'PORT' })
    onAnswering(stop)
    admin = adminAddress.port > 0 ? await loadAdminServer(florin) : undefined
    const adminOrigin = admin && (await listen(admin, adminAddress))
    deferred = setTimeout(() => void finishStart(), FIRST_REQUESTS_MS).unref()
    return {
      baseUrl: `${publicUrl}/${API_VERSION}`,
      docsUrl: `${publicUrl}/docs`,
      metricsUrl: adminOrigin && `${adminOrigin}/metrics`,
      dashboardUrl: await linkTo(florin.deps),
      database: embedded ? `embedded PostgreSQL in ${settings.dataDir}` : 'DATABASE_URL',
      credentials,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Loaded separately, because the dashboard is a large part of the sources and not every process has it. */
async function loadAdminServer(florin: Florin): Promise<FastifyInstance> {
  const { createAdminServer } = await import('./admin-server.ts')
  return createAdminServer(florin)
}

/**
 * The address of the dashboard, with a sign-in for the person who starts the service (CORE-80). In production the output
 * ends in logs that more people read, so the sign-in is left out.
 */
async function linkTo(deps: Deps): Promise<string | undefined> {
  const origin = dashboardOrigin(deps.settings)
  if (origin === undefined || deps.settings.production) return origin
  return (await createLink(deps, { name: 'florin', origin })).url
}

/** Deferred work waits this long, because the first requests after a start need the processor more. */
const FIRST_REQUESTS_MS = 5_000
const COMPILE_PAUSE_MS = 100

/** The deferred work of a start. */
async function finishStart(): Promise<void> {
  await compileValidators(COMPILE_PAUSE_MS)
  await releaseMemory()
}

type ListenAddress = Readonly<{ host: string; port: number; name: string }>
type Listens = Readonly<{ listen(at: Pick<ListenAddress, 'host' | 'port'>): Promise<string> }>

/** Throws a StartError for a port in use, before the API answers. */
async function mustBeFree(address: ListenAddress): Promise<void> {
  const probe = createServer()
  await listen(
    {
      async listen(at) {
        await once(probe.listen(at), 'listening')
        return ''
      },
    },
    address,
  )
  await new Promise((resolve) => probe.close(resolve))
}

type Unusable = Readonly<{ of: 'host' | 'port'; why: string; remedy: string }>
const NOT_HERE: Unusable = {
  of: 'host',
  why: 'cannot be listened on: this machine has no such address',
  remedy: 'an address of this machine',
}

/** By the code of the error. */
const UNUSABLE_ADDRESSES: Readonly<Record<string, Unusable>> = {
  EADDRINUSE: { of: 'port', why: 'is in use by another program', remedy: 'a free port' },
  EACCES: {
    of: 'port',
    why: 'may not be listened on by this user',
    remedy: 'a port of 1024 or above',
  },
  EADDRNOTAVAIL: NOT_HERE,
  ENOTFOUND: NOT_HERE,
}

async function listen(server: Listens, address: ListenAddress): Promise<string> {
  try {
    return await server.listen({ host: address.host, port: address.port })
  } catch (error) {
    throw unusable(error, address)
  }
}

async function findAt(host: string, findPort: (host: string) => Promise<number>): Promise<number> {
  try {
    return await findPort(host)
  } catch (error) {
    throw unusable(error, { host, port: 0, name: 'PORT' })
  }
}

function unusable(error: unknown, { host, port, name }: ListenAddress): unknown {
  const problem = UNUSABLE_ADDRESSES[(error as NodeJS.ErrnoException).code ?? '']
  if (problem === undefined) return error
  const setting = problem.of === 'host' ? name.replace('PORT', 'HOST') : name
  return new StartError(
    `${host}:${port} ${problem.why}. Set ${setting} to ${problem.remedy}.`,
    setting,
  )
}
