/** A client may choose the id that its answer carries, but not the one that tells requests apart in log and audit. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { newUuid } from '../../kernel/ids.ts'

/** The id that the service gave the request, and beside it the one that the client chose, if any (CORE-10). */
export type RequestIds = Readonly<{ requestId: string; clientRequestId?: string | undefined }>

const CLIENT_ID = /^[\x20-\x7e]{1,128}$/

/** Follows time, so that the request log needs no index beside its key. */
export const newRequestId = (): string => newUuid()

export function requestIds({ id, headers }: FastifyRequest): RequestIds {
  return { requestId: id, clientRequestId: clientRequestId(headers) }
}

/** The id that the client chose, where it is a sound one. */
export function clientRequestId(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-request-id']
  return typeof given === 'string' && CLIENT_ID.test(given) ? given : undefined
}

/** The id that the client knows the request by. */
export function answeredId(request: FastifyRequest): string {
  const { requestId, clientRequestId } = requestIds(request)
  return clientRequestId ?? requestId
}
