import type { FastifyInstance } from 'fastify'
import { isMigrated } from '../infra/db/migrate.ts'
import { isUnavailable } from '../infra/db/connection/unavailable.ts'
import type { Deps } from '../infra/deps.ts'
import { collectionOf } from '../infra/http/schema/collection.ts'
import { toYaml } from '../kernel/text/to-yaml.ts'
import { registerDocsPage } from '../pages/docs/docs-page.ts'
import { llmsText } from '../pages/docs/llms-text.ts'
import { serveText } from '../pages/docs/served-text.ts'
import { describe } from './description.ts'

/** Routes outside the version path, which need no API credentials (CORE-84, CORE-86, CORE-88). */
export function addPublicRoutes(http: FastifyInstance, deps: Deps): void {
  const isReady = createReadiness(deps)
  http.get('/healthz', () => ({ status: 'ok' }))
  http.get('/readyz', async (_request, reply) => {
    const ready = await isReady()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
  const described = () => describe(deps.settings)
  const json = 'application/json'
  serveText(http, '/openapi.json', { type: json, make: () => JSON.stringify(described()) })
  serveText(http, '/openapi.yaml', { type: 'application/yaml', make: () => toYaml(described()) })
  serveText(http, '/llms.txt', { type: 'text/plain', make: () => llmsText(described()) })
  serveText(http, '/docs/collection.json', {
    type: json,
    make: () => JSON.stringify(collectionOf(described())),
  })
  registerDocsPage(http)
}

/** Ready when the database accepts writes and has the schema of this build; the schema is checked until it has. */
function createReadiness({ db, log }: Deps): () => Promise<boolean> {
  let isSchemaCurrent = false
  return async () => {
    try {
      if (!(await db.isServing())) return false
      isSchemaCurrent ||= await isMigrated(db.read)
      return isSchemaCurrent
    } catch (error) {
      if (!isUnavailable(error)) log.warn({ err: error }, 'not ready')
      return false
    }
  }
}
