/** One HTTP call on one connection to a given address, with its kinds of failure. */
import type { Dispatcher } from 'undici'
import { endConnection } from './connections.ts'
import type { Connection, Reached } from './connections.ts'

export type OutgoingRequest = Readonly<{
  method: string
  url: string
  headers?: Readonly<Record<string, string>>
  body?: Buffer | string
  /** For everything together: resolving, connecting, sending, reading. */
  timeoutMs: number
  /** A longer body is cut off. */
  bodyBytesMax: number
  /** The receiver recognises a repetition. By default true for GET and HEAD only. */
  isRepeatable?: boolean
  /** Only the status matters: a body that is not complete within a second is abandoned without a failure. */
  isBodyIgnored?: boolean
  /** The operator itself named the host: it may be on a private or loopback address. */
  isOperatorsChoice?: boolean
  /** The operator registered this very host: no address is refused (PROV-26). */
  isAnyAddressAllowed?: boolean
  /** Certificate authorities in PEM, in place of the public ones. */
  ca?: string
}>

export type HttpAnswer = Readonly<{
  ok: true
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
  truncated: boolean
}>

/** The message may be shown to the platform that chose the address, so it reveals nothing about our network. */
export type HttpFailure = Readonly<{
  ok: false
  kind: 'refused-target' | 'connect' | 'tls' | 'timeout' | 'protocol'
  message: string
}>

export type Exchange = Readonly<{
  request: OutgoingRequest
  url: URL
  connection: Connection
  deadline: Deadline
}>

/**
 * The time limit of a call. Its steps run one after the other, so one callback for the current step is enough; an
 * AbortSignal would cost every call its listeners.
 */
export type Deadline = { isOver: boolean; onOver: () => void }

export const startDeadline = (): Deadline => ({ isOver: false, onOver: () => undefined })

export function endDeadline(deadline: Deadline): void {
  deadline.isOver = true
  deadline.onOver()
}

export type ExchangeOutcome = HttpAnswer | (HttpFailure & { reached: Reached })

/** The time to read an ignored body to its end, after which the connection can be reused. */
const IGNORED_BODY_MS = 1_000

export function exchange(plan: Exchange): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    const { request, url, connection, deadline } = plan
    const reader = readAnswer(plan, resolve)
    // Ends the call at its time limit in any state.
    deadline.onOver = () => {
      reader.fail(new Error('The time is up.'))
      endConnection(connection)
    }
    if (deadline.isOver) {
      deadline.onOver()
      return
    }
    const { method, headers, body = null } = request
    const path = url.pathname + url.search
    connection.client.dispatch(
      { method, path, headers: { ...headers, host: url.host }, body },
      reader.handler,
    )
  })
}

type Reader = Readonly<{ handler: Dispatcher.DispatchHandler; fail: (error: Error) => void }>

function readAnswer(plan: Exchange, resolve: (outcome: ExchangeOutcome) => void): Reader {
  const { connection } = plan
  const { bodyBytesMax, isBodyIgnored = false } = plan.request
  const chunks: Buffer[] = []
  let bytes = 0
  let head = { status: 0, headers: {} }
  let lateBody: NodeJS.Timeout | undefined

  const finish = (truncated: boolean): void => {
    clearTimeout(lateBody)
    const body = Buffer.concat(chunks).subarray(0, bodyBytesMax)
    resolve({ ok: true, ...head, body, truncated })
  }
  const fail = (error: Error): void => {
    const { reached } = connection
    if (isBodyIgnored && reached === 'answer') finish(true)
    else resolve({ ...failureOf(plan, error), reached })
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => undefined,
    onResponseStart(controller, status, headers) {
      // Early hints are no answer yet.
      if (status < 200) return
      connection.reached = 'answer'
      head = { status, headers: joined(headers) }
      const leave = () => controller.abort(new Error('The body is late.'))
      if (isBodyIgnored) lateBody = setTimeout(leave, IGNORED_BODY_MS)
    },
    onResponseData(controller, chunk) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes <= bodyBytesMax) return
      finish(true)
      controller.abort(new Error('The body is too long.'))
    },
    onResponseEnd: () => finish(false),
    onResponseError: (_controller, error) => fail(error),
  }
  return { handler, fail }
}

/** Joins the values of a repeated header. */
function joined(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]))
}

/** The client's messages for an answer that is not HTTP or has too long headers; a truncated answer is another case. */
const NOT_HTTP = /^(Response does not match(?!.*EOF)|bad response|Headers Overflow)/

/** The client's codes for a connection that the server closed. */
const ENDED = new Set(['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'HTTPParserError'])

function failureOf(
  { request, url, connection: { reached }, deadline }: Exchange,
  { name, message, code: given = name }: NodeJS.ErrnoException,
): HttpFailure {
  if (deadline.isOver) return timeoutFailure(request)
  if (message === 'bad upgrade') {
    return failure('protocol', 'The answer changes to another protocol.')
  }
  if (NOT_HTTP.test(message)) {
    return failure('protocol', `The answer is not valid HTTP (${message}).`)
  }
  const code = ENDED.has(given) ? 'ECONNRESET' : given
  if (reached === 'nothing') return failure('connect', `No connection could be made (${code}).`)
  if (reached === 'connection' && url.protocol === 'https:') {
    return failure('tls', `No secure connection could be made (${code}).`)
  }
  return failure('connect', `The connection broke before the answer was complete (${code}).`)
}

export function timeoutFailure({ timeoutMs }: OutgoingRequest): HttpFailure {
  return failure('timeout', `There was no complete answer within ${timeoutMs} ms.`)
}

export function failure(kind: HttpFailure['kind'], message: string): HttpFailure {
  return { ok: false, kind, message }
}
