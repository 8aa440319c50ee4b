import { replyValidator } from '../../../server/src/infra/http/schema/validate.ts'
import { ErrorSchema } from '../../../server/src/infra/http/schema/reply-checker.ts'
import { isStream, type Operation } from '../../../server/src/infra/http/operation.ts'
import { ERRORS, type ErrorCode } from '../../../server/src/kernel/errors.ts'

/** Whether the operation may answer this with this status now. */
export function fitsAnswer(operation: Operation, status: string, answer: unknown): boolean {
  if (isStream(operation)) return typeof answer === 'string'
  const schema = operation.replies[Number(status)]
  if (schema === null) return answer === undefined
  return schema !== undefined && answer !== undefined && replyValidator(schema)(answer).length === 0
}

const refusalFindings = replyValidator(ErrorSchema)

/** Whether this is a refusal with this code now. */
export function fitsRefusal(code: ErrorCode, refusal: unknown): boolean {
  if (refusal === undefined || refusalFindings(refusal).length > 0) return false
  const { code: named, status } = refusal as Readonly<{ code: string; status: number }>
  return named === code && status === ERRORS[code].status
}
