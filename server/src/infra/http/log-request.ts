/** Records an answered request: a line of the log, a metric, and a row of the request log. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { describeActor } from '../../kernel/access/actor.ts'
import { addMs } from '../../kernel/clock.ts'
import type { Deps } from '../deps.ts'
import type { Metrics } from '../logging/metrics.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import { requestIds } from '../work/request-ids.ts'
import { identityOf } from './identify.ts'
import { ownValue } from '../work/own-value.ts'

/** The configuration of a route. */
export type RouteConfig = Readonly<{
  operationId?: string
  isSigned?: boolean
  /** The route refuses a method that its path does not have. */
  isRefused?: boolean
}>

/** Larger bodies are not kept in memory until they are written, a second later. */
const KEPT_BYTES_MAX = 64 * 1024

const bodies = ownValue<FastifyRequest, unknown>('body')
const answers = ownValue<FastifyReply, unknown>('answer')

const bounded = (value: unknown, size: number): unknown =>
  size > KEPT_BYTES_MAX ? `[${size} bytes]` : value

export function keepBody(request: FastifyRequest, body: unknown, size: number): void {
  if (body !== undefined) bodies.set(request, bounded(body, size))
}

export function keepAnswer(reply: FastifyReply, body: unknown, size: number): void {
  answers.set(reply, bounded(body, size))
}

type LogOptions = Readonly<{ deps: Deps; metrics: Metrics; requestLog: RequestLog }>

export function logRequest(
  { deps, metrics, requestLog }: LogOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { operationId, isSigned, isRefused } = request.routeOptions.config as RouteConfig
  const operation = operationId ?? 'none'
  const durationMs = Math.round(reply.elapsedTime)
  metrics.requestSeconds.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000)
  const line = {
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '',
    status: reply.statusCode,
    durationMs,
  }
  const platformId = identityOf(request)?.platform.id
  deps.log.info({ ...requestIds(request), ...line, operation, platformId }, 'request')
  // Addresses of pages contain secret links, and messages of providers are stored with their orders: neither is logged.
  const isOfApi = operationId !== undefined && !isSigned
  if (!isOfApi && !isRefused && !request.is404) return
  const { requestId: id, clientRequestId = null } = requestIds(request)
  const actor = identityOf(request)?.actor
  requestLog.note({
    ...line,
    id,
    clientRequestId,
    at: addMs(deps.clock.now(), -durationMs),
    operation: operationId ?? null,
    actor: actor ? describeActor(actor) : null,
    idempotencyKey: headerOf(request, 'idempotency-key'),
    error: reply.statusCode < 400 ? null : codeIn(answers.get(reply)),
    platformId,
    // The content of an unauthenticated caller is not stored.
    content: actor ? contentOf(request, reply) : {},
  })
}

const TEXT_CHARS_MAX = 255

const headerOf = ({ headers }: FastifyRequest, name: string): string | null => {
  const value = headers[name]
  return typeof value === 'string' ? value.slice(0, TEXT_CHARS_MAX) : null
}

const codeIn = (answer: unknown): string | null => {
  const code = (answer as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : null
}

function contentOf(request: FastifyRequest, reply: FastifyReply) {
  const { query } = request
  const [body, response] = [bodies.get(request), answers.get(reply)]
  return {
    ...(isObject(query) && Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { request: body }),
    ...(response !== undefined && { response }),
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
