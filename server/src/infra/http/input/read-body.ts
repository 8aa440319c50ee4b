import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../../kernel/errors.ts'
import { hasArrived } from './request-body.ts'

/** Reads bodies of any type as they were sent. Fails: PAYLOAD_TOO_LARGE. */
export function readBodies(app: FastifyInstance, bytesMax: number): void {
  app.removeAllContentTypeParsers()
  // Named beside the star, because the framework remembers the parser of a named type.
  app.addContentTypeParser(['application/json', '*'], (request, payload, done) =>
    readBody(request, payload, { bytesMax, done }),
  )
}

type Reading = Readonly<{
  bytesMax: number
  done: (error: Error | null, body?: Buffer) => void
}>

/** A body that came with its headers is in memory already, and is taken without the events of a stream. */
function readBody(
  { headers }: FastifyRequest,
  payload: IncomingMessage,
  { bytesMax, done }: Reading,
): void {
  if (Number(headers['content-length']) > bytesMax) return done(new ApiError('PAYLOAD_TOO_LARGE'))
  const isWhole = hasArrived(payload) && payload.readableLength <= bytesMax
  const whole = isWhole ? (payload.read() as Buffer | null) : null
  if (!whole) return collectBody(payload, { bytesMax, done })
  // Until its end is read, Node keeps the request.
  payload.resume()
  return done(null, whole)
}

function collectBody(payload: IncomingMessage, { bytesMax, done }: Reading): void {
  const chunks: Buffer[] = []
  let length = 0
  const end = (error: Error | null): void => {
    payload.off('data', take).off('end', finish).off('error', end)
    done(error, Buffer.concat(chunks))
  }
  const finish = (): void => end(null)
  const take = (chunk: Buffer): void => {
    length += chunk.length
    if (length > bytesMax) return end(new ApiError('PAYLOAD_TOO_LARGE'))
    chunks.push(chunk)
  }
  payload.on('data', take).on('end', finish).on('error', end)
}
