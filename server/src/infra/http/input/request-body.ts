import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Whether all of the body is in memory; Node says that the request is complete only a moment later. */
export const hasArrived = (request: IncomingMessage): boolean =>
  request.complete || request.readableLength === Number(request.headers['content-length'])

/** Whether the operation accepts a form, whose files may take long to arrive. */
export const takesForm = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { takesForm?: boolean }).takesForm === true
