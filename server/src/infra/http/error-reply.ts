import { errorToBody, type ApiError } from '../../kernel/errors.ts'
import type { Reply } from './reply.ts'

export function errorReply(error: ApiError): Reply {
  const { status, headers } = error
  const body = errorToBody(error)
  return headers ? { status, body, headers } : { status, body }
}
