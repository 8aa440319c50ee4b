import { randomUUID } from 'node:crypto'
import { fastify, type FastifyInstance } from 'fastify'
import type { Deps } from '../infra/deps.ts'
import { watchIdle } from '../infra/http/edge/connections.ts'
import { WITHOUT_SCHEMAS } from '../infra/http/schema/without-schemas.ts'
import type { Metrics } from '../infra/logging/metrics.ts'
import { isSignedIn, ownOrigin } from '../dashboard/gate.ts'
import { registerDashboard } from '../dashboard/dashboard.ts'
import { serveReference } from '../pages/docs/docs-page.ts'
import { registerOperatorApi } from '../operator/http/operator-api.ts'

type AdminOptions = Readonly<{ metrics: Metrics; deps: Deps }>

/** The separate listener for the operator: metrics (CORE-84), the dashboard and the operator API. */
export function createAdminServer({ metrics: { registry }, deps }: AdminOptions): FastifyInstance {
  const { trustedProxies } = deps.settings
  const admin = fastify({
    logger: false,
    schemaController: WITHOUT_SCHEMAS,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    // HEAD routes would double the routes of a start, and no client uses them here.
    exposeHeadRoutes: false,
  })
  watchIdle(admin)
  admin.get('/metrics', async (request, reply) =>
    ownOrigin(request, deps.settings) === undefined
      ? reply.code(421).type('text/plain').send('ADMIN_URL has to name this host.\n')
      : reply.type(registry.contentType).send(await registry.metrics()),
  )
  registerOperatorApi(admin, {
    deps,
    originOf: (request) => ownOrigin(request, deps.settings),
    isSignedIn: (request) => isSignedIn(request, deps),
    serveReference,
  })
  registerDashboard(admin, deps)
  return admin
}
