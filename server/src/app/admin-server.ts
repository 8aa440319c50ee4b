import { randomUUID } from 'node:crypto'
import { fastify, type FastifyInstance } from 'fastify'
import type { Deps } from '../infra/deps.ts'
import type { Metrics } from '../infra/logging/metrics.ts'
import { ownOrigin } from '../dashboard/gate.ts'
import { registerDashboard } from '../dashboard/dashboard.ts'

type AdminOptions = Readonly<{ metrics: Metrics; deps: Deps }>

/** What is the operator's alone, on a listener of its own: figures (CORE-84) and the dashboard. */
export function createAdminServer({ metrics: { registry }, deps }: AdminOptions): FastifyInstance {
  const admin = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
  })
  admin.get('/metrics', async (request, reply) =>
    ownOrigin(request, deps.settings) === undefined
      ? reply.code(421).type('text/plain').send('ADMIN_URL has to name this host.\n')
      : reply.type(registry.contentType).send(await registry.metrics()),
  )
  registerDashboard(admin, deps)
  return admin
}
