/** The service as a program whose time runs faster: hours of a provider's silence pass within a test. */
import { createFlorin } from '../../../src/app/florin.ts'
import { API_VERSION } from '../../../src/infra/http/api-version.ts'
import { createLog } from '../../../src/infra/logging/log.ts'
import { loadSettings } from '../../../src/infra/settings/settings.ts'
import { paceFromEnv, pacedClock, pacedOutgoing } from './paced-clock.ts'

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
