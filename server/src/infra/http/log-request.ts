/** Records an answered request: a line of the log, a metric, and a row of the request log. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { describeActor } from '../../kernel/access/actor.ts'
import { addMs } from '../../kernel/clock.ts'
import type { Deps } from '../deps.ts'
import type { Metrics } from '../logging/metrics.ts'
import type { Content } from '../request-log/content.ts'
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
  const { elapsedTime, statusCode: status } = reply
  const durationMs = Math.round(elapsedTime)
  metrics.requestSeconds.observe({ operation, status }, elapsedTime / 1000)
  const { method } = request
  const path = pathOf(request.url)
  const { requestId, clientRequestId } = requestIds(request)
  const { actor, platform } = identityOf(request) ?? {}
  const platformId = platform?.id
  const line = { method, path, status, durationMs, operation, platformId }
  deps.log.info({ requestId, clientRequestId, ...line }, 'request')
  // Addresses of pages contain secret links, and messages of providers are stored with their orders: neither is logged.
  const isOfApi = operationId !== undefined && !isSigned
  if (!isOfApi && !isRefused && !request.is404) return
  const noted = {
    method,
    path,
    status,
    durationMs,
    id: requestId,
    clientRequestId: clientRequestId ?? null,
    at: addMs(deps.clock.now(), -durationMs),
    operation: operationId ?? null,
    actor: actor ? describeActor(actor) : null,
    idempotencyKey: headerOf(request, 'idempotency-key'),
    error: status < 400 ? null : codeIn(answers.get(reply)),
    platformId,
  }
  // The content of an unauthenticated caller is not stored.
  requestLog.note(noted, actor ? contentOf(request, reply) : {})
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
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

const contentOf = (request: FastifyRequest, reply: FastifyReply): Content => ({
  query:
    isObject(request.query) && Object.keys(request.query).length > 0 ? request.query : undefined,
  request: bodies.get(request),
  response: answers.get(reply),
})

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
