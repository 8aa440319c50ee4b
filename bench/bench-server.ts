import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFlorin, type Florin } from '../server/src/app/florin.ts'
import { startEmbeddedPostgres } from '../server/src/infra/db/embedded-postgres.ts'
import { migrate } from '../server/src/infra/db/migrate.ts'
import { createLog } from '../server/src/infra/logging/log.ts'
import { findPlatform } from '../server/src/infra/platforms.ts'
import { loadSettings } from '../server/src/infra/settings/settings.ts'
import { mustParseId } from '../server/src/kernel/ids.ts'
import type { Platform } from '../server/src/kernel/platform.ts'
import { createPlatform, type PlatformCredentials } from '../server/src/operator/create-platform.ts'

export type BenchServer = Readonly<{
  florin: Florin
  databaseUrl: string
  platform: Platform
  credentials: PlatformCredentials
  stop(): Promise<void>
}>

/** A service on a fresh embedded database with fsync on, as a user would run it. */
export async function startBenchServer(): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  const log = createLog({ logLevel: 'error' })
  const database = await startEmbeddedPostgres({ dataDir, log })
  await migrate(database.url)
  const masterKey = Buffer.alloc(32, 1).toString('base64')
  const settings = loadSettings(
    {
      DATABASE_URL: database.url,
      MASTER_KEY: masterKey,
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_SECOND: '0',
    },
    { cwd: dataDir },
  )
  const florin = await createFlorin({
    settings: { ...settings, databaseUrl: database.url, masterKey },
    log,
  })
  const credentials = await createPlatform(florin.deps, {
    name: 'Bench',
    kind: 'REGULATED',
    environment: 'SANDBOX',
    currencies: ['USD', 'EUR', 'BTC'],
  })
  const platform = await findPlatform(
    florin.deps.db.read,
    mustParseId('platform', credentials.platformId),
  )
  if (!platform) throw new Error('the platform was just made')
  return {
    florin,
    databaseUrl: database.url,
    platform,
    credentials,
    async stop() {
      await florin.stop()
      await database.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
