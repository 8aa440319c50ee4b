/** One HTTP call on one connection to a given address, with its failures told apart. */
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { http } from './node-http.ts'

export type OutgoingRequest = Readonly<{
  method: string
  url: string
  headers?: Readonly<Record<string, string>>
  body?: Buffer | string
  /** For everything together: resolving, connecting, sending, reading. */
  timeoutMs: number
  /** What is longer is cut off there. */
  bodyBytesMax: number
  /** The receiver recognises a repeat. True for GET and HEAD unless told otherwise. */
  isRepeatable?: boolean
  /** The status is the answer: a body that is not complete in a moment is left, and fails nothing. */
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
  headers: IncomingHttpHeaders
  body: Buffer
  truncated: boolean
}>

/** The message may be shown to the platform that chose the address: it reveals nothing of our network. */
export type HttpFailure = Readonly<{
  ok: false
  kind: 'refused-target' | 'connect' | 'tls' | 'timeout' | 'protocol'
  message: string
}>

export type Exchange = Readonly<{
  request: OutgoingRequest
  url: URL
  /** Where the connection goes; the name in `url` is only told to the server. */
  address: string
  agent: Agent
  deadline: Deadline
}>

/**
 * The time of a call. Its steps follow one another, so one place for the step under way is enough; an AbortSignal would
 * cost every call its listeners, and the request one more for the end of its stream.
 */
export type Deadline = { isOver: boolean; onOver: () => void }

export const startDeadline = (): Deadline => ({ isOver: false, onOver: () => undefined })

export function endDeadline(deadline: Deadline): void {
  deadline.isOver = true
  deadline.onOver()
}

/** How far the call came. */
type Reached = 'nothing' | 'connection' | 'secure connection' | 'kept connection' | 'answer'

export type ExchangeOutcome = HttpAnswer | (HttpFailure & { reached: Reached })

/** A body that is read to its end leaves a connection that can be used again. */
const IGNORED_BODY_MS = 1_000

export function exchange(plan: Exchange): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    let reached: Reached = 'nothing'
    let enough: HttpAnswer | undefined
    const fail = (error: NodeJS.ErrnoException) =>
      resolve(enough ?? { ...failureOf(plan, { error, reached }), reached })

    const outgoing = openRequest(plan)
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) {
        reached = 'kept connection'
        return
      }
      socket.once('connect', () => (reached = 'connection'))
      socket.once('secureConnect', () => (reached = 'secure connection'))
    })
    outgoing.on('error', fail)
    // Nobody listening, Node would end the connection and report neither an error nor an answer.
    outgoing.on('upgrade', (_response, socket) => {
      reached = 'answer'
      socket.destroy()
      resolve({ ...failure('protocol', 'The answer changes to another protocol.'), reached })
    })
    outgoing.on('response', (response) => {
      reached = 'answer'
      if (plan.request.isBodyIgnored) {
        enough = toAnswer(response, { body: Buffer.alloc(0), truncated: true })
        const timer = setTimeout(() => response.destroy(), IGNORED_BODY_MS)
        response.once('close', () => clearTimeout(timer))
      }
      readAnswer(response, { bodyBytesMax: plan.request.bodyBytesMax, answered: resolve, fail })
    })
    // The time is up whatever else did or did not happen.
    plan.deadline.onOver = () => {
      fail(new Error('The time is up.'))
      outgoing.destroy()
    }
    outgoing.end(plan.request.body)
  })
}

function openRequest({ request, url, address, agent }: Exchange): ClientRequest {
  const options = {
    method: request.method,
    host: address,
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...request.headers, host: url.host },
    agent,
  }
  if (url.protocol === 'http:') return http.request(options)
  // The certificate must be the name's; of a bare address, that address's.
  const { ca } = request
  const servername = isNamed(url) ? url.hostname : ''
  return https.request({ ...options, servername, ...(ca !== undefined && { ca }) })
}

function isNamed(url: URL): boolean {
  return !url.hostname.startsWith('[') && isIP(url.hostname) === 0
}

type Reading = Readonly<{
  bodyBytesMax: number
  answered: (answer: HttpAnswer) => void
  fail: (error: Error) => void
}>

/** By events: an async iterator is dear for the short answer of a webhook. */
function readAnswer(response: IncomingMessage, { bodyBytesMax, answered, fail }: Reading): void {
  const chunks: Buffer[] = []
  let bytes = 0
  const finish = (truncated: boolean): void => {
    const body = Buffer.concat(chunks).subarray(0, bodyBytesMax)
    answered(toAnswer(response, { body, truncated }))
  }
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= bodyBytesMax) return
    finish(true)
    response.destroy()
  })
  response.on('end', () => finish(false))
  response.on('error', fail)
  response.on('close', () => {
    if (!response.readableEnded) fail(new Error('The answer broke off.'))
  })
}

const toAnswer = (
  { statusCode = 0, headers }: IncomingMessage,
  read: Pick<HttpAnswer, 'body' | 'truncated'>,
): HttpAnswer => ({ ok: true, status: statusCode, headers, ...read })

function failureOf(
  { request, url, deadline }: Exchange,
  { error, reached }: { error: NodeJS.ErrnoException; reached: Reached },
): HttpFailure {
  if (deadline.isOver) return timeoutFailure(request)
  const code = error.code ?? error.name
  if (code.startsWith('HPE_')) return failure('protocol', `The answer is not valid HTTP (${code}).`)
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
