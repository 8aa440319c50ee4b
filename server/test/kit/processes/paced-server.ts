/** The service as a program whose time runs faster: hours of a provider's silence pass within a test. */
import '../../../src/bin/resolve-sources.ts'

// Loaded afterwards, so that their sources are found as those of the service are.
const { createFlorin } = await import('../../../src/app/florin.ts')
const { API_VERSION } = await import('../../../src/infra/http/api-version.ts')
const { createLog } = await import('../../../src/infra/logging/log.ts')
const { loadSettings } = await import('../../../src/infra/settings/settings.ts')
const { paceFromEnv, pacedClock, pacedOutgoing } = await import('./paced-clock.ts')

const settings = loadSettings(process.env, { cwd: import.meta.dirname })
const { databaseUrl = '', masterKey = '' } = settings
const pace = paceFromEnv(process.env)
const florin = await createFlorin({
  settings: { ...settings, databaseUrl, masterKey },
  log: createLog(settings),
  clock: pacedClock(pace),
  outgoing: pacedOutgoing(pace),
})
const origin = await florin.http.listen({ host: '127.0.0.1', port: 0 })
process.on('disconnect', () => process.exit(0))
process.channel?.unref()
process.stdout.write(`  API  ${origin}/${API_VERSION}\n`)
