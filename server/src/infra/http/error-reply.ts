import { errorToBody, type ApiError, type ErrorBody } from '../../kernel/errors.ts'
import type { Reply } from './reply.ts'

/** Adds the path of the code in the reference; without a host, because details name none (ERR-6, ERR-21). */
export function withDocUrl(reply: Reply, publicUrl: string): Reply {
  if (reply.status < 400) return reply
  const body = reply.body as ErrorBody
  const docUrl = `${pathOf(publicUrl)}/docs#errors/${body.code}`
  return { ...reply, body: { ...body, details: { ...body.details, docUrl } } }
}

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '')

export function errorReply(error: ApiError): Reply<number, ErrorBody> {
  const { status, headers } = error
  const body = errorToBody(error)
  return headers ? { status, body, headers } : { status, body }
}
