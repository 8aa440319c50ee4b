import type { FastifyInstance } from 'fastify'
import { isMigrated } from '../infra/db/is-migrated.ts'
import { isUnavailable } from '../infra/db/connection/unavailable.ts'
import type { Deps } from '../infra/deps.ts'
import { registerDocsPage } from '../pages/docs/docs-page.ts'
import { describe } from './description.ts'

/** CORE-84 and CORE-86: what is served outside the version path and without API credentials. */
export function addPublicRoutes(http: FastifyInstance, deps: Deps): void {
  const isReady = createReadiness(deps)
  http.get('/healthz', () => ({ status: 'ok' }))
  http.get('/readyz', async (_request, reply) => {
    const ready = await isReady()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
  let description: string | undefined
  http.get('/openapi.json', (_request, reply) => {
    description ??= JSON.stringify(describe(deps.settings))
    return reply.type('application/json; charset=utf-8').send(description)
  })
  registerDocsPage(http)
}

/** The database answers, takes writes, and is as new as this build; what was migrated once stays so. */
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
