import { EmbeddedPostgresError } from '../infra/db/embedded/embedded-postgres-error.ts'
import { MigrationError } from '../infra/db/migrate.ts'
import { MasterKeyError } from '../infra/settings/key-checks.ts'
import { createLog } from '../infra/logging/log.ts'
import { logDestination } from '../infra/logging/readable-log.ts'
import { loadSettings, SettingsError } from '../infra/settings/settings.ts'
import { serve, StartError, type Serving } from './serve.ts'

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

/** The whole life of a process that serves; what the operator can mend is said in one line. */
export async function runService(): Promise<void> {
  try {
    const settings = loadSettings()
    const serving = await serve(settings, createLog(settings, logDestination(settings)))
    stopOnSignal(serving)
    print(serving)
  } catch (error) {
    const isExplained = [
      SettingsError,
      EmbeddedPostgresError,
      MigrationError,
      MasterKeyError,
      StartError,
    ].some((kind) => error instanceof kind)
    if (!isExplained) throw error
    process.stderr.write(`florin: ${(error as Error).message}\n`)
    process.exit(1)
  }
}
