/** A client may choose the id that its answer carries, but not the one that tells requests apart in log and audit. */
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** The id that the service gave the request, and beside it the one that the client chose, if any (CORE-10). */
export type RequestIds = Readonly<{ requestId: string; clientRequestId?: string | undefined }>

const CLIENT_ID = /^[\x20-\x7e]{1,128}$/

export const newRequestId = (): string => randomUUID()

export function requestIds({ id, headers }: FastifyRequest): RequestIds {
  const given = headers['x-request-id']
  const isSound = typeof given === 'string' && CLIENT_ID.test(given)
  return { requestId: id, ...(isSound && { clientRequestId: given }) }
}

/** The id that the client knows the request by. */
export function answeredId(request: FastifyRequest): string {
  const { requestId, clientRequestId } = requestIds(request)
  return clientRequestId ?? requestId
}
