import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { SECOND_MS } from '../../../kernel/clock.ts'
import { ApiError, retryAfter } from '../../../kernel/errors.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Deps } from '../../deps.ts'
import type { Metrics } from '../../logging/metrics.ts'
import { clientRequestId, newRequestId } from '../../work/request-ids.ts'
import { errorReply } from '../error-reply.ts'
import { EVERY_ANSWER, JSON_TYPE, type Reply } from '../reply.ts'
import { hasArrived, hasBody, takesForm } from '../input/request-body.ts'

/** A request that would wait longer is refused at once, so that accepted ones do not wait longer. */
const WAIT_MS_MAX = 2 * SECOND_MS
/** An estimate above this is refused: accepted requests may wait behind costlier ones than those measured. */
const ESTIMATE_MS_MAX = (WAIT_MS_MAX * 3) / 8
const RETRY_MS_MAX = 30 * SECOND_MS
/** Fewer requests in flight are no queue in an idle process: some operations wait for a bank or an issuer. */
const IN_FLIGHT_MIN = 256
/** The same for a busy process or a burst; so many requests are always accepted. */
const IN_FLIGHT_MIN_BUSY = 64
const BUSY_SHARE = 0.9
const SAMPLE_MS = 100
const WINDOW_MS = SECOND_MS
/** The answers per second that are assumed before a process is measured. */
const FIRST_RATE = 125
const LOG_INTERVAL_MS = 10 * SECOND_MS

/**
 * Refuses requests that would wait too long, before the framework sees them, because under extreme load most are refused
 * and each refusal must cost little. A request whose body is still arriving is not in flight; it is judged again once the
 * body is complete.
 */
export function watchOverload(
  app: FastifyInstance,
  { deps: { db, log }, metrics, isFree, send }: Watch,
): void {
  const load = createLoad()
  const isLoopBusy = watchLoop()
  let refused = 0
  let loggedAt = -Infinity

  const refusal = (): Reply | undefined => {
    const now = performance.now()
    const waitMs = load.waitMs(now, { isBusy: isLoopBusy(now) || db.stats().waiting > 0 })
    if (waitMs <= ESTIMATE_MS_MAX) return undefined
    refused += 1
    if (now - loggedAt >= LOG_INTERVAL_MS) {
      log.warn({ refused, waitMs: Math.round(waitMs) }, 'requests are refused: too many wait')
      loggedAt = now
      refused = 0
    }
    const headers = retryAfter(waitMs / SECOND_MS)
    return errorReply(new ApiError('SERVICE_UNAVAILABLE', { headers }))
  }
  const begin = (response: ServerResponse): void => {
    load.begin(performance.now())
    response.once('close', () =>
      load.end(performance.now(), { isAnswered: response.writableFinished }),
    )
  }
  const [handle] = app.server.listeners('request') as RequestListener[]
  invariant(handle, 'The framework listens to requests.')
  app.server.removeListener('request', handle)
  const counted = new WeakSet<ServerResponse>()
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const refused = refusal()
    if (refused) {
      metrics.requestSeconds.observe({ operation: 'none', status: refused.status }, 0)
      return endRequest(request, response, refused)
    }
    if (!hasBody(request) || hasArrived(request)) {
      counted.add(response)
      begin(response)
    }
    return handle(request, response)
  }
  app.server.on('request', (request, response) => {
    if (isFree(request)) return handle(request, response)
    if (request.headers['content-length'] === undefined) return take(request, response)
    // A body that came with its headers is complete on the next tick, and its request is treated like one without a body.
    return process.nextTick(take, request, response)
  })
  app.addHook('preHandler', (request, reply, done) => {
    if (counted.has(reply.raw) || isFree(request.raw) || takesForm(request)) return done()
    const refused = refusal()
    if (refused) return void send(reply, refused)
    begin(reply.raw)
    return done()
  })
}

type Watch = Readonly<{
  deps: Pick<Deps, 'db' | 'log'>
  metrics: Metrics
  /** Requests that are never refused and do not count. */
  isFree(request: IncomingMessage): boolean
  send(reply: FastifyReply, refusal: Reply): FastifyReply
}>

/** A body up to this size comes with its headers; a connection with a larger body still arriving is closed. */
const BODY_BYTES_LEFT_MAX = 16 * 1024

function endRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Reply,
): void {
  const length = Number(request.headers['content-length'] ?? 0)
  const isLong = request.headers['transfer-encoding'] !== undefined || length > BODY_BYTES_LEFT_MAX
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...EVERY_ANSWER,
    ...headers,
    'X-Request-Id': clientRequestId(request.headers) ?? newRequestId(),
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(text),
    ...(isLong && { Connection: 'close' }),
  })
  response.end(text)
}

/** Returns a function that tells whether the event loop was almost always busy lately. */
function watchLoop(): (now: number) => boolean {
  let sampledAt = 0
  let before = performance.eventLoopUtilization()
  let isBusy = false
  return (now) => {
    if (now - sampledAt < SAMPLE_MS) return isBusy
    const { utilization } = performance.eventLoopUtilization(before)
    sampledAt = now
    before = performance.eventLoopUtilization()
    isBusy = utilization > BUSY_SHARE
    return isBusy
  }
}

/**
 * Estimates how long a new request waits, by Little's law: requests in flight, divided by the answers per second of
 * the last one to two seconds. The caller passes the time.
 */
export function createLoad() {
  let inFlight = 0
  let burst = { since: -Infinity, begun: 0 }
  let crowdedSince: number | undefined
  let window = { since: 0, answered: 0 }
  let before = window
  /** The highest measured rate, in answers per millisecond. */
  let known = FIRST_RATE / SECOND_MS

  const turn = (now: number): void => {
    const lastedMs = now - window.since
    if (lastedMs < WINDOW_MS) return
    const rate = window.answered / lastedMs
    // With few requests in flight the rate shows the demand, not the capacity.
    known = crowdedSince === undefined ? Math.max(known, rate) : rate
    before = window
    window = { since: now, answered: 0 }
  }

  return {
    begin(now: number): void {
      inFlight += 1
      if (now - burst.since > SAMPLE_MS) burst = { since: now, begun: 0 }
      burst.begun += 1
    },
    end(now: number, { isAnswered }: Readonly<{ isAnswered: boolean }>): void {
      inFlight -= 1
      turn(now)
      if (isAnswered) window.answered += 1
    },
    /** The expected wait of a request that arrives now, at most half a minute; 0 without a queue. */
    waitMs(now: number, { isBusy }: Readonly<{ isBusy: boolean }>): number {
      turn(now)
      const isFull = isBusy || burst.begun >= IN_FLIGHT_MIN_BUSY
      if (inFlight < (isFull ? IN_FLIGHT_MIN_BUSY : IN_FLIGHT_MIN)) {
        crowdedSince = undefined
        return 0
      }
      if (crowdedSince === undefined) {
        crowdedSince = now
        window = before = { since: now, answered: 0 }
      }
      const answered = window.answered + (before === window ? 0 : before.answered)
      const perMs = answered / Math.max(1, now - before.since)
      const isMeasured = now - crowdedSince >= WINDOW_MS
      if (isMeasured) return Math.min(RETRY_MS_MAX, inFlight / perMs)
      // Earlier requests may have been cheaper, so the queue is kept small until the present rate is measured.
      const waitMs = inFlight / Math.max(perMs, known)
      return inFlight < IN_FLIGHT_MIN ? waitMs : Math.max(waitMs, SECOND_MS)
    },
  }
}
