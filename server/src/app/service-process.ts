import { EmbeddedPostgresError } from '../infra/db/embedded/embedded-postgres-error.ts'
import { DatabaseUnavailable } from '../infra/db/connection/unavailable.ts'
import { MigrationError } from '../infra/db/migrate.ts'
import { MasterKeyError } from '../infra/settings/key-checks.ts'
import { createLog } from '../infra/logging/log.ts'
import { logDestination } from '../infra/logging/readable-log.ts'
import { loadSettings, SettingsError } from '../infra/settings/settings.ts'
import type { Serving } from './serve.ts'
import { startDatabase, StartError } from './start-database.ts'

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
  const { platformId, clientId, clientSecret } = credentials
  process.stdout.write(
    `  Try it:  curl -u ${clientId}:${clientSecret} ${baseUrl}/config\n` +
      `  Guides:  export FLORIN_ORIGIN=${baseUrl.slice(0, baseUrl.lastIndexOf('/'))} FLORIN_PLATFORM_ID=${platformId} ` +
      `FLORIN_CLIENT_ID=${clientId} FLORIN_CLIENT_SECRET=${clientSecret}\n\n`,
  )
}

const hintOn = (dashboardUrl: string): string =>
  dashboardUrl.includes('/sign-in/')
    ? 'signs in once, within 15 minutes; later: npx florin dashboard link'
    : 'sign in with: npx florin dashboard link'

/** Stops accepting, finishes requests in flight within ten seconds, and exits with 0 (CORE-85). */
function stopOnSignal(stop: Serving['stop']): AbortSignal {
  const stopping = new AbortController()
  const end = (): void => {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(() => process.exit(0), STOP_MS).unref()
    void stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // A service that tools/setup.mjs started ends with it.
  process.on('disconnect', end)
  process.channel?.unref()
  return stopping.signal
}

/** Errors that the operator can fix, which are reported in one line. */
const EXPLAINED = [
  SettingsError,
  EmbeddedPostgresError,
  DatabaseUnavailable,
  MigrationError,
  MasterKeyError,
  StartError,
]

/**
 * Runs a process that serves, from start to stop. Loading the sources blocks this process, so the database's process,
 * which starts meanwhile, is launched first.
 */
export async function runService(): Promise<void> {
  let stopping: AbortSignal | undefined
  try {
    const settings = loadSettings()
    const log = createLog(settings, logDestination(settings))
    const launched = Promise.withResolvers<void>()
    const database = startDatabase(settings, log, launched.resolve)
    // A failure is thrown where `serve` awaits it.
    void database.catch(() => undefined).then(() => launched.resolve())
    await launched.promise
    const { serve } = await import('./serve.ts')
    const serving = await serve(settings, log, {
      database,
      onAnswering: (stop) => void (stopping = stopOnSignal(stop)),
    })
    if (!stopping?.aborted) print(serving)
  } catch (error) {
    // A process that is stopped during its start fails to start, which is no error.
    if (stopping?.aborted) return
    const isExplained = EXPLAINED.some((kind) => error instanceof kind)
    if (!isExplained) throw error
    process.stderr.write(`florin: ${(error as Error).message}\n`)
    process.exit(1)
  }
}
