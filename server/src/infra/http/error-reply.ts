import { errorToBody, type ApiError, type ErrorBody } from '../../kernel/errors.ts'
import type { Reply } from './reply.ts'

export function errorReply(error: ApiError): Reply<number, ErrorBody> {
  const { status, headers } = error
  const body = errorToBody(error)
  return headers ? { status, body, headers } : { status, body }
}
