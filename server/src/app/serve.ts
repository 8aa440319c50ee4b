import { mkdir } from 'node:fs/promises'
import { startEmbeddedPostgres } from '../infra/db/embedded-postgres.ts'
import { migrate } from '../infra/db/migrate.ts'
import { API_VERSION } from '../infra/http/api-version.ts'
import type { Log } from '../infra/log.ts'
import { ensureMasterKey } from '../infra/master-key.ts'
import type { Settings } from '../infra/settings.ts'
import type { PlatformCredentials } from '../operator/create-platform.ts'
import { createAdminServer } from './admin-server.ts'
import { firstPlatform } from './first-platform.ts'
import { createFlorin } from './florin.ts'
import { addPublicRoutes } from './public-routes.ts'

export type Serving = Readonly<{
  baseUrl: string
  docsUrl: string
  metricsUrl: string | undefined
  database: string
  /** Only where the installation made a sandbox platform for itself. */
  credentials: PlatformCredentials | undefined
  stop(): Promise<void>
}>

/** Starts everything one process serves: database where embedded, migrations, HTTP, admin listener. */
export async function serve(settings: Settings, log: Log): Promise<Serving> {
  await mkdir(settings.dataDir, { recursive: true })
  const embedded = settings.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: settings.dataDir, log })
  const databaseUrl = settings.databaseUrl ?? embedded?.url ?? ''
  await migrate(databaseUrl)
  const masterKey = settings.masterKey ?? ensureMasterKey(settings.dataDir)
  const florin = await createFlorin({ settings: { ...settings, databaseUrl, masterKey }, log })
  addPublicRoutes(florin.http, florin.deps)
  const credentials = embedded ? await firstPlatform(florin.deps) : undefined
  await florin.http.listen({ host: settings.host, port: settings.port })
  const admin = settings.adminPort > 0 ? createAdminServer(florin.metrics) : undefined
  const metricsUrl = await admin?.listen({ host: settings.adminHost, port: settings.adminPort })
  return {
    baseUrl: `${settings.publicUrl}/${API_VERSION}`,
    docsUrl: `${settings.publicUrl}/docs`,
    metricsUrl: metricsUrl && `${metricsUrl}/metrics`,
    database: embedded ? `embedded PostgreSQL in ${settings.dataDir}` : 'DATABASE_URL',
    credentials,
    async stop() {
      await florin.stop()
      await admin?.close()
      await embedded?.stop()
    },
  }
}
