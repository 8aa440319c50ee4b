/** Answers requests that Node's parser refuses, which never reach the router, in the form of every other refusal. */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, errorToBody } from '../../../kernel/errors.ts'
import type { Log } from '../../logging/log.ts'
import { newRequestId, requestIds, type RequestIds } from '../../work/request-ids.ts'

/** An import would evaluate all exports of `node:http`; `WebSocket` would load an HTTP client that is not used. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

type ParserError = Error & Readonly<{ code?: string }>

type Replies = Readonly<{ latest: FastifyReply; previous: FastifyReply | undefined }>

/** The last replies of each connection. Replies are sent in order, so when these are finished, all before them are. */
const repliesOn = new WeakMap<Socket, Replies>()

export function rememberReply(request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw
  const previous = repliesOn.get(socket)?.latest
  repliesOn.set(socket, { latest: reply, previous: isOpen(previous) ? previous : undefined })
}

const isOpen = (reply: FastifyReply | undefined): boolean => reply?.raw.writableFinished === false

export const withoutHost = (): ApiError => refusal('The request names no host; send a Host header.')

export function answerUnparsed(log: Log, error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const ids = idsOfRefused(socket)
  if (ids === undefined || !socket.writable) return void socket.destroy(error)
  const answered = refusalOf(error)
  const { status } = answered
  log.info({ ...ids, status, because: error.code }, 'request not parsed')
  socket.end(messageOf(answered, ids), () => socket.destroy(error))
}

/**
 * The ids of the request that could not be parsed; undefined where it cannot be answered. An answer before a pending one
 * would be taken for the pending one, and a second answer to a request that was refused before its body came would be
 * taken for the answer to the next.
 */
function idsOfRefused(socket: Socket): RequestIds | undefined {
  const { latest, previous } = repliesOn.get(socket) ?? {}
  if (isOpen(previous)) return undefined
  // Between two requests it is a new request.
  if (latest?.request.raw.complete ?? true)
    return isOpen(latest) ? undefined : { requestId: newRequestId() }
  return !latest || latest.raw.headersSent ? undefined : requestIds(latest.request)
}

function refusalOf({ code }: ParserError): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('PAYLOAD_TOO_LARGE', {
        message: 'Request line and headers are too large; they may have 16 KiB.',
      })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal('The request took too long to arrive; send it without pauses.')
    default:
      return refusal('The request is not well-formed HTTP/1.1.')
  }
}

const refusal = (message: string): ApiError => new ApiError('INVALID_REQUEST_FORMAT', { message })

function messageOf(error: ApiError, { requestId, clientRequestId }: RequestIds): string {
  const body = JSON.stringify(errorToBody(error))
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${clientRequestId ?? requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
