import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatId } from '../../../kernel/ids.ts'
import type { Span, Tracer } from '../../logging/tracing/tracer.ts'
import { identityOf } from '../identify.ts'
import type { RouteConfig } from '../log-request.ts'
import { ownValue } from '../../work/own-value.ts'

const spans = ownValue<FastifyRequest, Span>('span')

/** One span for each request of an operation, below the caller's own where it names one (OPER-140). */
export function traceRequests(app: FastifyInstance, tracer: Tracer | undefined): void {
  if (!tracer) return
  app.addHook('onRequest', async (request) => {
    const { operationId } = request.routeOptions.config as RouteConfig
    if (operationId !== undefined) spans.set(request, startRequest(tracer, request, operationId))
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const platform = identityOf(request)?.platform
    const span = spans.get(request)
    span?.set({
      'http.response.status_code': statusCode,
      'florin.platform_id': platform && formatId('platform', platform.id),
    })
    span?.end({ isFailed: statusCode >= 500 })
  })
}

/** The route, not the path: ids in a path may be codes or addresses of people. */
function startRequest(tracer: Tracer, request: FastifyRequest, operation: string): Span {
  const { method, id, routeOptions, headers } = request
  const route = routeOptions.url ?? ''
  const { traceparent } = headers
  return tracer.start({
    name: `${method} ${route}`,
    kind: 'server',
    ...(typeof traceparent === 'string' && { traceparent }),
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'florin.operation': operation,
      'florin.request_id': id,
    },
  })
}

type Performing = (request: FastifyRequest) => Promise<unknown>

/** Makes the request's span the current one while `perform` runs. */
export const inRequestSpan = <P extends Performing>(tracer: Tracer | undefined, perform: P): P =>
  tracer ? (((request) => tracer.within(spans.get(request), () => perform(request))) as P) : perform
