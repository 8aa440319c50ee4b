import { fastify, type FastifyInstance } from 'fastify'
import type { Metrics } from '../infra/metrics.ts'

/** CORE-84: figures for the operator, on a listener of their own. */
export function createAdminServer({ registry }: Metrics): FastifyInstance {
  const admin = fastify({ logger: false })
  admin.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  return admin
}
