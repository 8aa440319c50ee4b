import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { newUuid } from '../../kernel/ids.ts'

/**
 * The id that the service gave the request, which identifies it in log and audit, and the one that the client chose, if
 * any, which the answer repeats (CORE-10).
 */
export type RequestIds = Readonly<{ requestId: string; clientRequestId?: string | undefined }>

const CLIENT_ID = /^[\x20-\x7e]{1,128}$/

/** Ordered by time, so that the request log needs no index beside its key. */
export const newRequestId = (): string => newUuid()

export function requestIds({ id, headers }: FastifyRequest): RequestIds {
  return { requestId: id, clientRequestId: clientRequestId(headers) }
}

/** The id that the client chose, if it is well-formed. */
export function clientRequestId(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-request-id']
  return typeof given === 'string' && CLIENT_ID.test(given) ? given : undefined
}

/** The id in the answer. */
export function answeredId(request: FastifyRequest): string {
  const { requestId, clientRequestId } = requestIds(request)
  return clientRequestId ?? requestId
}
