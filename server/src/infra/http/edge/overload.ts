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
import { hasBody, takesForm } from '../input/request-body.ts'

/** A request that would wait longer is refused at once, so that those that are accepted do not. */
const WAIT_MS_MAX = 2 * SECOND_MS
/** An estimate above this is refused: what is accepted may meet dearer requests than those that were measured. */
const ESTIMATE_MS_MAX = (WAIT_MS_MAX * 3) / 8
const RETRY_MS_MAX = 30 * SECOND_MS
/** Fewer than these are no queue in a process with time to spare: some operations wait for a bank or an issuer. */
const IN_FLIGHT_MIN = 256
/** In a busy process fewer are a queue as well, and where so many come at once; so many are always taken. */
const IN_FLIGHT_MIN_BUSY = 64
const BUSY_SHARE = 0.9
const SAMPLE_MS = 100
const WINDOW_MS = SECOND_MS
/** Answers per second that are assumed of a process that has not yet given so many. */
const FIRST_RATE = 125
const SAY_AGAIN_MS = 10 * SECOND_MS

/**
 * Refuses requests that would wait too long, before the framework sees them: under the greatest load most are refused,
 * and what that costs is taken from those that are served. A body that is still coming is not in flight, since it waits
 * for its sender; once it is there its request is judged again.
 */
export function watchOverload(
  app: FastifyInstance,
  { deps: { db, log }, metrics, isFree, send }: Watch,
): void {
  const load = createLoad()
  const isLoopBusy = watchLoop()
  let refused = 0
  let saidAt = -Infinity

  const refusal = (): Reply | undefined => {
    const now = performance.now()
    const waitMs = load.waitMs(now, { isBusy: isLoopBusy(now) || db.stats().waiting > 0 })
    if (waitMs <= ESTIMATE_MS_MAX) return undefined
    refused += 1
    if (now - saidAt >= SAY_AGAIN_MS) {
      log.warn({ refused, waitMs: Math.round(waitMs) }, 'requests are refused: too many wait')
      saidAt = now
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
    if (!hasBody(request) || request.complete) {
      counted.add(response)
      begin(response)
    }
    return handle(request, response)
  }
  app.server.on('request', (request, response) => {
    if (isFree(request)) return handle(request, response)
    if (request.headers['content-length'] === undefined) return take(request, response)
    // By then a body that came with its headers is there, and its request is one like those without.
    return process.nextTick(take, request, response)
  })
  app.addHook('preHandler', async (request, reply) => {
    if (counted.has(reply.raw) || isFree(request.raw) || takesForm(request)) return undefined
    const refused = refusal()
    if (refused) return send(reply, refused)
    begin(reply.raw)
    return undefined
  })
}

type Watch = Readonly<{
  deps: Pick<Deps, 'db' | 'log'>
  metrics: Metrics
  /** Requests that are never refused and do not count. */
  isFree(request: IncomingMessage): boolean
  send(reply: FastifyReply, refusal: Reply): FastifyReply
}>

/** A body of this size comes with its headers; a connection on which a larger one is still coming ends. */
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

/** Whether the event loop had hardly a pause lately. */
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
 * the last one to two seconds. The time is the caller's.
 */
export function createLoad() {
  let inFlight = 0
  let burst = { since: -Infinity, begun: 0 }
  let crowdedSince: number | undefined
  let window = { since: 0, answered: 0 }
  let before = window
  /** Answers per millisecond that this process is known to manage. */
  let known = FIRST_RATE / SECOND_MS

  const turn = (now: number): void => {
    const lastedMs = now - window.since
    if (lastedMs < WINDOW_MS) return
    const rate = window.answered / lastedMs
    // While few are in flight the rate says how much is asked for, not how much can be answered.
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
    /** What a request that comes now has to wait, at most half a minute; 0 where there is no queue to speak of. */
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
      // What was answered before may have been cheaper: until this crowd is measured it is kept small.
      const waitMs = inFlight / Math.max(perMs, known)
      return inFlight < IN_FLIGHT_MIN ? waitMs : Math.max(waitMs, SECOND_MS)
    },
  }
}
