import { Type } from 'typebox'
import { invariant } from '../../kernel/invariant.ts'
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { object } from './wire-schema.ts'
import type { Operation } from './operation.ts'
import type { Reply } from './reply.ts'
import { bodyValidator } from './validate.ts'

export const ErrorSchema = object('Error', {
  status: Type.Integer(),
  code: Type.String({ minLength: 1 }),
  message: Type.String({ minLength: 1 }),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

const errorValidator = bodyValidator(ErrorSchema)

/** Holds every reply against what the operation declares; a mismatch is a bug of ours. */
export function replyChecker(operation: Operation): (reply: Reply) => void {
  const validators = new Map(
    Object.entries(operation.replies).map(([status, schema]) => [
      Number(status),
      schema && bodyValidator(schema),
    ]),
  )
  return ({ status, body }) => {
    if (status >= 400) return checkError(operation, status, body)
    invariant(validators.has(status), `${operation.id} declares status ${status}`)
    const validator = validators.get(status)
    const findings = validator ? validator(body) : []
    invariant(
      findings.length === 0,
      `${operation.id} ${status} matches its schema: ${JSON.stringify(findings)}`,
    )
  }
}

function checkError(operation: Operation, status: number, body: unknown): void {
  const code = (body as { code?: string }).code ?? ''
  const sound = errorValidator(body).length === 0 && ERRORS[code as ErrorCode].status === status
  invariant(sound, `${operation.id} answers a sound ${status}: ${JSON.stringify(body)}`)
}
