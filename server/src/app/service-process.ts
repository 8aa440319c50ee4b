import { EmbeddedPostgresError } from '../infra/db/embedded/embedded-postgres-error.ts'
import { MigrationError } from '../infra/db/migrate.ts'
import { MasterKeyError } from '../infra/settings/key-checks.ts'
import { createLog } from '../infra/logging/log.ts'
import { logDestination } from '../infra/logging/readable-log.ts'
import { loadSettings, SettingsError } from '../infra/settings/settings.ts'
import type { Serving } from './serve.ts'
import { startGround, StartError } from './start-ground.ts'

const STOP_MS = 10_000

function print(serving: Serving): void {
  const { baseUrl, docsUrl, metricsUrl, dashboardUrl, database, credentials } = serving
  const rows: [string, string | undefined][] = [
    ['API', baseUrl],
    ['Platform', credentials?.platformId],
    ['Client id', credentials?.clientId],
    ['Client secret', credentials?.clientSecret],
    ['Reference', docsUrl],
    ['Dashboard', dashboardUrl],
    ['', dashboardUrl && hintOn(dashboardUrl)],
    ['Metrics', metricsUrl],
    ['Database', database],
  ]
  const lines = rows
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name.padEnd(14)} ${value}`)
  process.stdout.write(`\nFlorin is running.\n\n${lines.join('\n')}\n\n`)
  if (!credentials) return
  const { clientId, clientSecret } = credentials
  process.stdout.write(`  Try it:  curl -u ${clientId}:${clientSecret} ${baseUrl}/config\n\n`)
}

const hintOn = (dashboardUrl: string): string =>
  dashboardUrl.includes('/sign-in/')
    ? 'signs in once, within 15 minutes; later: npx florin dashboard link'
    : 'sign in with: npx florin dashboard link'

/** CORE-85: stop accepting, finish what is in flight within ten seconds, exit 0. */
function stopOnSignal(serving: Serving): void {
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(0), STOP_MS).unref()
    void serving.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Started by tools/setup.mjs: when that is gone, so are we.
  process.on('disconnect', stop)
  process.channel?.unref()
}

/** What the operator can mend is said in one line. */
const EXPLAINED = [SettingsError, EmbeddedPostgresError, MigrationError, MasterKeyError, StartError]

/** The whole life of a process that serves. The database starts while most of the sources are still being loaded. */
export async function runService(): Promise<void> {
  try {
    const settings = loadSettings()
    const log = createLog(settings, logDestination(settings))
    const ground = startGround(settings, log)
    // Where it fails, that is thrown once it is waited for.
    ground.catch(() => undefined)
    const { serve } = await import('./serve.ts')
    const serving = await serve(settings, log, { ground })
    stopOnSignal(serving)
    print(serving)
  } catch (error) {
    const isExplained = EXPLAINED.some((kind) => error instanceof kind)
    if (!isExplained) throw error
    process.stderr.write(`florin: ${(error as Error).message}\n`)
    process.exit(1)
  }
}
