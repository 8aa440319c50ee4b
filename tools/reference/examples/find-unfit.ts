import { operations } from '../../../server/src/app/operations.ts'
import { declaredErrors } from '../../../server/src/infra/http/schema/declared-errors.ts'
import type { RecordedExamples } from '../../../server/src/infra/http/schema/examples/recorded-examples.ts'
import { ERRORS, type ErrorCode } from '../../../server/src/kernel/errors.ts'
import { fitsAnswer, fitsRefusal } from './fits.ts'

/** Documented answers without an example, and examples that no longer fit, as `operation status`. */
export function findUnfit({ answers, refusals }: RecordedExamples): string[] {
  const ofSuccesses = operations.flatMap((operation) =>
    Object.keys(operation.replies)
      .filter((status) => !fitsAnswer(operation, status, answers[operation.id]?.[status]))
      .map((status) => `${operation.id} ${status}`),
  )
  const ofRefusals = operations.flatMap((operation) => {
    const byStatus = Map.groupBy(declaredErrors(operation), (code) => ERRORS[code].status)
    return [...byStatus]
      .filter(([, codes]) => !codes.some((code) => refusals[code] !== undefined))
      .map(([status, codes]) => `${operation.id} ${status} ${codes.join()}`)
  })
  const unfit = Object.entries(refusals)
    .filter(([code, bodies]) => bodies.some((body) => !fitsRefusal(code as ErrorCode, body)))
    .map(([code]) => code)
  return [...ofSuccesses, ...ofRefusals, ...unfit]
}
