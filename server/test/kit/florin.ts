import { after, afterEach } from 'node:test'
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFlorin, type Florin, type FlorinOptions } from '../../src/app/florin.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { createLog } from '../../src/infra/logging/log.ts'
import { loadSettings } from '../../src/infra/settings/settings.ts'
import { checkLedger } from '../../src/ledger/reports/check-ledger.ts'
import { createPlatform, type PlatformRequest } from '../../src/operator/create-platform.ts'
import { client, type Api } from './api.ts'
import { cloneDatabase } from './database/database.ts'
import { recordExchanges } from './pages/record-exchanges.ts'

/** Enough for a machine that stands still for a while; what the service does after its own limits has its own tests. */
const PATIENT = {
  connectTimeoutMs: 30_000,
  lockTimeoutMs: 30_000,
  statementTimeoutMs: 30_000,
} as const

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** Of a test platform that asks for no others. An account in bitcoin has a signed invoice, which takes longer than all these. */
const CURRENCIES = ['USD', 'EUR', 'MXN', 'USDC']
export const WITH_BITCOIN = { currencies: [...CURRENCIES, 'BTC'] }

export type TestPlatform = Awaited<ReturnType<typeof createPlatform>> & { api: Api }

export type Kit = Readonly<{
  florin: Florin
  databaseUrl: string
  dataDir: string
  /** Address of the API, version included. */
  baseUrl: string
  /** A new platform with an API client that holds its first token. */
  platform(request?: Partial<PlatformRequest>): Promise<TestPlatform>
  /** Another process of the service on the same database; its address, version included. */
  neighbour(): Promise<string>
}>

type KitOptions = Partial<Pick<FlorinOptions, 'outgoing' | 'log' | 'clock' | 'worker'>> & {
  /** Connects as the service does in production, not as the owner of the tables. */
  isServiceRole?: boolean
}

/** Each connection costs the server ten milliseconds, and plans every statement of its own. */
const FEW_CONNECTIONS = { DATABASE_POOL_SIZE: '5' }
/** As many as by default, for an own service whose requests wait for one another in the database. */
export const MANY_CONNECTIONS = { DATABASE_POOL_SIZE: '10' }

let shared: Promise<Kit> | undefined

/**
 * The real service on a real database, listening on a free port, shared by the test files of this process. Call it once,
 * at the top of a test file. The books are checked after every file that posted to them: those of all files before it are
 * in the same book, and reading it takes longer than most tests.
 */
export async function startKit(): Promise<Kit> {
  if (process.channel === undefined) return startOwnKit()
  shared ??= startShared()
  const kit = await shared
  checkBooks(kit, [after])
  return kit
}

/**
 * A service that only this file uses: with its own settings, or on a database in which nobody else writes. The books are
 * checked after every test that posted to them.
 */
export async function startOwnKit(
  env: Record<string, string> = {},
  options: KitOptions = {},
): Promise<Kit> {
  const { kit, stop } = await start({ ...FEW_CONNECTIONS, ...env }, options)
  checkBooks(kit, [afterEach, after])
  after(stop)
  return kit
}

/** The test runner disconnects from this process after its last file. */
async function startShared(): Promise<Kit> {
  const { kit, stop } = await start({}, { isServiceRole: true })
  process.once('disconnect', () => void stop())
  sharedServices.add(kit.florin)
  return kit
}

const sharedServices = new WeakSet<Florin>()

/** Whether other test files use this service too. */
export function isShared(florin: Florin): boolean {
  return sharedServices.has(florin)
}

const checkedUpTo = new WeakMap<Florin, string>()

function checkBooks({ florin }: Kit, moments: readonly (typeof after)[]): void {
  const { db } = florin.deps
  const check = async (): Promise<void> => {
    const { last } = await db.read.one<{ last: string }>(lastPosting)
    if (last === checkedUpTo.get(florin)) return
    const { problems } = await checkLedger(db)
    assert.deepEqual(problems, [], 'the books balance')
    checkedUpTo.set(florin, last)
  }
  for (const moment of moments) moment(check)
}

const lastPosting = sql`select last_value::text as last from ledger_entries_position_seq`

type StartedKit = Readonly<{ kit: Kit; stop: () => Promise<void> }>

async function start(
  env: Record<string, string>,
  { isServiceRole = false, ...options }: KitOptions,
): Promise<StartedKit> {
  const database = await cloneDatabase()
  const databaseUrl = isServiceRole ? database.serviceUrl : database.url
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-data-'))
  const settings = loadSettings(
    {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      MASTER_KEY,
      LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
      PORT: '0',
      ADMIN_PORT: '0',
      RATE_LIMIT_PER_SECOND: '0',
      RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '0',
      RATE_LIMIT_ANONYMOUS_PER_SECOND: '0',
      ...env,
    },
    { cwd: import.meta.dirname },
  )
  const started: Florin[] = []
  const startFlorin = async (): Promise<Readonly<{ florin: Florin; baseUrl: string }>> => {
    const florin = await createFlorin({
      settings: { ...settings, databaseUrl, masterKey: MASTER_KEY },
      log: createLog(settings),
      checkReplies: true,
      databaseTimeouts: PATIENT,
      ...options,
    })
    started.push(florin)
    recordExchanges(florin.http)
    const origin = await florin.http.listen({ host: '127.0.0.1', port: 0 })
    return { florin, baseUrl: `${origin}/2025-10-13` }
  }
  const { florin, baseUrl } = await startFlorin()
  const kit: Kit = {
    florin,
    databaseUrl: database.url,
    dataDir,
    baseUrl,
    async platform(request = {}) {
      const created = await createPlatform(florin.deps, {
        name: 'Test platform',
        kind: 'REGULATED',
        environment: 'SANDBOX',
        currencies: CURRENCIES,
        ...request,
      })
      return { ...created, api: client(baseUrl, created) }
    },
    neighbour: async () => (await startFlorin()).baseUrl,
  }
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((one) => one.stop()))
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { kit, stop }
}
