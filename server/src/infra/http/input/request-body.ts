import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Whether the operation accepts a form, whose files may take long to arrive. */
export const takesForm = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { takesForm?: boolean }).takesForm === true
