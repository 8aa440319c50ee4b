import { Type, type TSchema } from './type.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { ERRORS, type ErrorCode } from '../../../kernel/errors.ts'
import { toApiError } from '../../db/statement/constraints.ts'
import { declaredErrors } from './declared-errors.ts'
import { errorReply } from '../error-reply.ts'
import type { Operation } from '../operation.ts'
import type { Performer } from '../perform.ts'
import type { Reply } from '../reply.ts'
import { replyValidator, type Validator } from './validate.ts'
import { object } from './wire-schema.ts'

export const ErrorSchema = object('Error', {
  status: Type.Integer(),
  code: Type.String({ minLength: 1 }),
  message: Type.String({ minLength: 1 }),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/** Checks every answer, refusals included, against the declaration of the operation; a mismatch is a bug. */
export function checkingReplies(operation: Operation, perform: Performer): Performer {
  const check = replyChecker(operation)
  return async (call) => {
    const answer = await perform(call).catch((error: unknown) => {
      check(errorReply(toApiError(error)))
      throw error
    })
    check(answer)
    return answer
  }
}

const validators = new WeakMap<TSchema, Validator>()

/** A schema is compiled with its first reply, because most test files call only a few operations. */
function validatorOfSchema(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? replyValidator(schema)
  validators.set(schema, validator)
  return validator
}

function replyChecker(operation: Operation): (reply: Reply) => void {
  const { id, replies } = operation
  const validatorOf = (status: number): Validator => {
    const schema = replies[status]
    return schema ? validatorOfSchema(schema) : () => []
  }
  return ({ status, body }) => {
    if (status >= 400) return checkError(operation, status, body)
    invariant(Object.hasOwn(replies, status), `${id} declares status ${status}`)
    const findings = validatorOf(status)(body)
    invariant(
      findings.length === 0,
      `${id} ${status} matches its schema: ${JSON.stringify(findings)}`,
    )
  }
}

function checkError(operation: Operation, status: number, body: unknown): void {
  const code = (body as { code?: string }).code ?? ''
  const isValid =
    validatorOfSchema(ErrorSchema)(body).length === 0 && ERRORS[code as ErrorCode].status === status
  invariant(isValid, `${operation.id} answers a sound ${status}: ${JSON.stringify(body)}`)
  const isDeclared = declaredErrors(operation).includes(code as ErrorCode)
  invariant(isDeclared, `${operation.id} declares ${code} among its errors`)
}
