import type { IncomingMessage } from 'node:http'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError, fail, retryAfter } from '../../kernel/errors.ts'
import { toApiError } from '../db/statement/constraints.ts'
import { isUnavailable } from '../db/connection/unavailable.ts'
import type { Metrics } from '../logging/metrics.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import { acceptForms } from './input/accept-forms.ts'
import { API_VERSION } from './api-version.ts'
import { brandedPerformer, brandedReply } from './edge/brand-edge.ts'
import { errorReply, withDocUrl } from './error-reply.ts'
import { JSON_BODY_BYTES_MAX } from './input/json-body.ts'
import { readBodies } from './input/read-body.ts'
import { keepAnswer, logRequest, type RouteConfig } from './log-request.ts'
import {
  countingFailures,
  identify,
  identityOf,
  isStillAllowed,
  type IdentifyOptions,
} from './identify.ts'
import { limitConnections } from './edge/connections.ts'
import { gatherRoutes, type KnownRoutes } from './known-routes.ts'
import { isStream, type Identity, type Operation } from './operation.ts'
import { watchOverload } from './edge/overload.ts'
import { createStreams, type Streams } from './edge/streams.ts'
import { performerOf, type PerformOptions } from './perform.ts'
import { formPerformer, jsonPerformer } from './input/request-performer.ts'
import { EVERY_ANSWER, JSON_TYPE, type Reply } from './reply.ts'
import { inRequestSpan, traceRequests } from './edge/trace-requests.ts'
import { checkingReplies } from './schema/reply-checker.ts'
import { storedBytesOf } from '../work/idempotency.ts'
import { answeredId, newRequestId, requestIds } from '../work/request-ids.ts'
import { HEADERS_MS_MAX, limitBodies, REQUEST_MS_MAX } from './edge/slow-requests.ts'
import { answerUnparsed, rememberReply, withoutHost } from './input/unparsed.ts'
import { WITHOUT_SCHEMAS } from './schema/without-schemas.ts'

/** A retry after a second reaches another process, or this one after its restart. */
const CLOSING = new ApiError('SERVICE_UNAVAILABLE', { headers: retryAfter(1) })
/** Health checks, which are answered under any load (CORE-84). */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

export type HttpOptions = PerformOptions &
  IdentifyOptions &
  Readonly<{
    operations: readonly Operation[]
    metrics: Metrics
    requestLog: RequestLog
    /** Checks every reply against its schema; for tests. */
    checkReplies: boolean
  }>

export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { trustedProxies } = options.deps.settings
  const app = fastify({
    logger: false,
    schemaController: WITHOUT_SCHEMAS,
    genReqId: newRequestId,
    bodyLimit: JSON_BODY_BYTES_MAX,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    forceCloseConnections: 'idle',
    // Answered by this file, in the form of our errors.
    return503OnClosing: false,
    // slow-requests.ts limits the time of bodies.
    requestTimeout: REQUEST_MS_MAX,
    http: { requireHostHeader: false, headersTimeout: HEADERS_MS_MAX },
    clientErrorHandler: (error, socket) => answerUnparsed(options.deps.log, error, socket),
    // As long as a request line can be, so that an overlong id is answered like any unknown one.
    routerOptions: { maxParamLength: 16 * 1024 },
    // Called before any hook.
    frameworkErrors: (error, request, reply) => {
      rememberReply(request, reply)
      sendError(options, error, request, reply)
    },
  })
  readBodies(app, JSON_BODY_BYTES_MAX)
  // Without a listener Node answers itself; a server may ignore an unknown expectation.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  limitConnections(app, options.deps)
  limitBodies(app, options.deps.log)
  const routes = gatherRoutes(app)
  const streams = createStreams(app)
  traceRequests(app, options.deps.tracer)
  addFirstSteps(app, routes, options)
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(options, request, reply)
    done()
  })
  app.setErrorHandler<Error>((error, request, reply) => sendError(options, error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    sendError(options, unknownRoute(request, routes), request, reply),
  )
  for (const operation of options.operations) addOperation(app, operation, { ...options, streams })
  addOtherMethods(app, routes, options)
  return app
}

/** Adds the checks that come before the body is read, since errors of a body do not matter without a route or caller. */
function addFirstSteps(
  app: FastifyInstance,
  routes: KnownRoutes,
  { deps, limits, metrics, operations }: HttpOptions,
): void {
  let isClosing = false
  const streamed = new Set(operations.filter(isStream).map(urlOf))
  // Probes are answered under any load, and requests while the server closes get their refusal (CORE-84). An open stream
  // is no request that waits for its answer.
  const isFree = ({ url = '' }: IncomingMessage): boolean =>
    isClosing || PROBES.has(url) || streamed.has(url.split('?', 1)[0] ?? '')
  watchOverload(app, { deps, metrics, isFree, send })
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', answeredId(request))
    rememberReply(request, reply)
    // A busy connection may bring further requests while the server closes; none of them is started (CORE-85).
    if (isClosing) return void send(reply, errorReply(CLOSING))
    const { headers, httpVersion } = request.raw
    if (!PROBES.has(request.url) && !hasCredentials(request)) limits.anonymous?.take(request.ip)
    if (headers.host === undefined && httpVersion === '1.1') throw withoutHost()
    mustNotRepeat(request.raw.rawHeaders)
    if (request.is404) throw unknownRoute(request, routes)
    return done()
  })
}

const HEADERS_ALLOWED_ONCE = ['host', 'idempotency-key']

/** A proxy and this service may read a repeated header differently. Fails: INVALID_REQUEST_FORMAT. */
function mustNotRepeat(rawHeaders: readonly string[]): void {
  let seen = ''
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!HEADERS_ALLOWED_ONCE.includes(name)) continue
    if (seen.includes(name)) fail('INVALID_REQUEST_FORMAT', { reason: `Two ${name} headers.` })
    seen += `${name} `
  }
}

/** A signed message can be verified only once its body is read; the routes of providers count the wrong ones. */
const hasCredentials = ({ headers, routeOptions }: FastifyRequest): boolean =>
  headers.authorization !== undefined || (routeOptions.config as RouteConfig).isSigned === true

type RouteOptions = HttpOptions & Readonly<{ streams: Streams }>

/** An operation with a form has a separate scope, in which bodies are read by the handler. */
function addOperation(app: FastifyInstance, operation: Operation, options: RouteOptions): void {
  if (!operation.form) return addRoute(app, operation, options)
  void app.register(async (scope) => {
    acceptForms(scope)
    addRoute(scope, operation, options)
  })
}

function addRoute(app: FastifyInstance, operation: Operation, options: RouteOptions): void {
  const unchecked = performerOf(operation, options)
  const checked = options.checkReplies ? checkingReplies(operation, unchecked) : unchecked
  const performer = brandedPerformer(checked, operation, options.brand)
  const { tracer, settings } = options.deps
  const performs = operation.form
    ? formPerformer(performer, operation, options)
    : jsonPerformer(performer)
  const perform = countingFailures(operation, options, inRequestSpan(tracer, performs))
  const identifyCaller = countingFailures(
    operation,
    options,
    inRequestSpan(tracer, (request) => identify(operation, request, options)),
  )
  app.route({
    method: operation.method,
    url: urlOf(operation),
    config: { operationId: operation.id, takesForm: operation.form !== undefined },
    onRequest: (request) => identifyCaller(request),
    handler: async (request, reply) => {
      const answer = await perform(request)
      // Without a value, which the framework would wait for.
      if (!answer.stream) return void send(reply, withDocUrl(answer, settings.publicUrl))
      const isAllowed = () => isStillAllowed(operation, request, options)
      const { platform } = identityOf(request) as Identity
      return options.streams.send(reply, { owner: platform.id, stream: answer.stream, isAllowed })
    },
  })
}

const urlOf = ({ path }: Pick<Operation, 'path'>): string =>
  `/${API_VERSION}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

const otherMethod = (offered: readonly string[]): ApiError =>
  new ApiError('METHOD_NOT_ALLOWED', {
    headers: { Allow: offered.join(', ') },
    details: { allowed: offered },
  })

/** Whether one path may match both patterns; a parameter matches any segment. */
function overlap(words: readonly string[], others: readonly string[]): boolean {
  const isSame = (word: string, index: number): boolean =>
    word === others[index] || word.startsWith(':') || (others[index]?.startsWith(':') ?? false)
  return words.length === others.length && words.every(isSame)
}

const methodsOf = (operations: readonly Operation[]): readonly string[] =>
  operations.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]))

/**
 * Refuses methods that an operation's path lacks, where a path with a parameter in the same place would match instead
 * (CORE-9). All other requests end in `unknownRoute`, too.
 */
function addOtherMethods(app: FastifyInstance, routes: KnownRoutes, options: HttpOptions): void {
  const byPath = Map.groupBy(options.operations, (operation) => urlOf(operation))
  const paths = [...byPath].map(([url, operations]) => ({
    url,
    words: url.split('/'),
    offered: methodsOf(operations),
  }))
  for (const { url, words, offered } of paths) {
    const others = paths.filter((other) => other.url !== url && overlap(words, other.words))
    const hidden = others.flatMap((other) => other.offered)
    const refused = [...new Set(hidden)].filter((method) => !offered.includes(method))
    if (refused.length === 0) continue
    app.route({
      method: refused,
      url,
      config: { isRefused: true },
      // Decided by the path as sent, which may match another route that has this method.
      onRequest: async (request) => {
        throw unknownRoute(request, routes)
      },
      handler: () => undefined,
    })
  }
}

function send(reply: FastifyReply, answer: Reply): FastifyReply {
  const { status, body, headers } = answer
  void reply.code(status).headers(EVERY_ANSWER)
  if (headers) void reply.headers(headers)
  if (body === undefined) return reply.send()
  const json = storedBytesOf(answer) ?? JSON.stringify(body)
  keepAnswer(reply, body, json.length)
  return reply.type(JSON_TYPE).send(json)
}

/** Answers a request without a route: an unknown path, or a method that the path does not have (CORE-9). */
function unknownRoute(request: FastifyRequest, routes: KnownRoutes): ApiError {
  const methods = routes.methodsAt(request.url)
  if (methods.length > 0 && !methods.includes(request.method)) return otherMethod(methods)
  const version = /^\/(\d{4}-\d{2}-\d{2})(?:[/?]|$)/.exec(request.url)?.[1]
  if (version !== undefined && version !== API_VERSION) {
    const message = `Version ${version} is not offered; the supported version is ${API_VERSION}.`
    return new ApiError('REFERENCE_NOT_FOUND', { message })
  }
  const near = nearPath(request.url, routes)
  if (near === undefined) return new ApiError('REFERENCE_NOT_FOUND')
  const message = `Nothing is found under this path; write it as ${near}.`
  return new ApiError('REFERENCE_NOT_FOUND', { message, details: { path: near } })
}

const PATH_CHARS_MAX = 255

/** Prefixes of paths that other services use. */
const OTHER_PREFIX = /^(?:\/api)?(?:\/v\d{1,3})?(?=\/)/

/** The same path with the version in front and no slash at its end, where there is such a route (ERR-22). */
function nearPath(url: string, routes: KnownRoutes): string | undefined {
  const [sent = ''] = url.split('?', 1)
  const path = sent.endsWith('/') ? sent.slice(0, -1) : sent
  const isVersioned = path.startsWith(`/${API_VERSION}/`)
  const near = isVersioned ? path : `/${API_VERSION}${path.replace(OTHER_PREFIX, '')}`
  const isKnown = near.length <= PATH_CHARS_MAX && routes.methodsAt(near).length > 0
  return isKnown ? near : undefined
}

/** Translates refusals of Fastify, and the loss of a connection while its body was arriving. */
function fromFramework(
  error: Error & { code?: string },
  { raw }: FastifyRequest,
): ApiError | undefined {
  if (raw.errored === error)
    return new ApiError('INVALID_REQUEST_FORMAT', { because: error.message })
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('PAYLOAD_TOO_LARGE')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('INVALID_REQUEST_FORMAT')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('REFERENCE_NOT_FOUND')
    default:
      return undefined
  }
}

function sendError(
  { deps, brand }: HttpOptions,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = fromFramework(error, request) ?? toApiError(error)
  const answered =
    known.code === 'INTERNAL_ERROR'
      ? new ApiError('INTERNAL_ERROR', { details: { requestId: answeredId(request) } })
      : known
  // An outage of the database is logged once with a count, not for each request.
  if (answered.status >= 500 && !isUnavailable(error))
    deps.log.error({ err: error, ...requestIds(request) }, 'request failed')
  else if (known.because)
    deps.log.debug({ ...requestIds(request), because: known.because }, known.code)
  void reply.header('X-Request-Id', answeredId(request))
  const branded = brandedReply(errorReply(answered), brand)
  return send(reply, withDocUrl(branded, deps.settings.publicUrl))
}
