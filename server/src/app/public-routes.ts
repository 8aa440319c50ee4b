import type { FastifyInstance } from 'fastify'
import { readMigrations } from '../infra/db/migrate.ts'
import { sql } from '../infra/db/sql.ts'
import type { Deps } from '../infra/deps.ts'
import { registerDocsPage } from '../pages/docs/docs-page.ts'
import { describe } from './description.ts'

/** CORE-84 and CORE-86: what is served outside the version path and without API credentials. */
export function addPublicRoutes(http: FastifyInstance, deps: Deps): void {
  const description = JSON.stringify(describe(deps.settings))
  http.get('/healthz', () => ({ status: 'ok' }))
  http.get('/readyz', async (_request, reply) => {
    const ready = await isReady(deps)
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
  http.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  )
  registerDocsPage(http)
}

/** The database answers and knows every migration of this build; a newer one serves older processes too. */
async function isReady({ db, log }: Deps): Promise<boolean> {
  try {
    const rows = await db.read.many<{ version: number }>(sql`select version from schema_migrations`)
    const applied = new Set(rows.map(({ version }) => version))
    const wanted = await readMigrations()
    return wanted.every(({ version }) => applied.has(version))
  } catch (error) {
    log.warn({ err: error }, 'not ready')
    return false
  }
}
