/** What Node's parser refuses never reaches the router; it is answered here, in the form of every other refusal. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, errorToBody } from '../../kernel/errors.ts'
import type { Log } from '../log.ts'

type ParserError = Error & Readonly<{ code?: string }>

/** The latest request of a connection, by which the id of a refusal is known and whether there is room for one. */
const latest = new WeakMap<Socket, FastifyReply>()

export function rememberLatest(request: FastifyRequest, reply: FastifyReply): void {
  latest.set(request.raw.socket, reply)
}

export const withoutHost = (): ApiError => refusal('The request names no host; send a Host header.')

export function answerUnparsed(log: Log, error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const reply = latest.get(socket)
  const isNew = reply === undefined || reply.raw.writableFinished
  // An answer in the place of one that is still being made would say something untrue of a sound request.
  const hasRoom = isNew || !(reply.request.raw.complete || reply.raw.headersSent)
  if (!hasRoom || !socket.writable) return void socket.destroy(error)
  const requestId = isNew ? randomUUID() : reply.request.id
  const answered = refusalOf(error)
  const { status } = answered
  log.info({ requestId, status, because: error.code }, 'request not parsed')
  socket.end(messageOf(answered, requestId), () => socket.destroy(error))
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

function messageOf(error: ApiError, requestId: string): string {
  const body = JSON.stringify(errorToBody(error))
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
