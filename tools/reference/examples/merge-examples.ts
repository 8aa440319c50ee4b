import { operations } from '../../../server/src/app/operations.ts'
import { declaredErrors } from '../../../server/src/infra/http/schema/declared-errors.ts'
import type {
  RecordedExamples,
  RecordedRequest,
} from '../../../server/src/infra/http/schema/examples/recorded-examples.ts'
import type { ErrorCode } from '../../../server/src/kernel/errors.ts'
import { isBetter, keyOf, type Exchange } from './exchange.ts'
import { fitsAnswer, fitsRefusal } from './fits.ts'
import { presentable } from './presentable.ts'

type Taken = Readonly<{ request?: RecordedRequest; body: unknown }>

/**
 * What was recorded before stays as long as it fits its schema, so that a new record changes little; the rest is taken
 * from the best of the exchanges.
 */
export function mergeExamples(
  before: RecordedExamples,
  exchanges: readonly Exchange[],
): RecordedExamples {
  const best = new Map<string, Exchange>()
  for (const exchange of exchanges) {
    const known = best.get(keyOf(exchange))
    if (!known || isBetter(exchange, known)) best.set(keyOf(exchange), exchange)
  }
  const taken = new Map<string, Taken>(
    [...best].map(([key, { request, answer }]) => [
      key,
      { request: presentable(request) as RecordedRequest, body: presentable(answer) },
    ]),
  )
  const ordered = operations.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const requests: Record<string, RecordedRequest> = {}
  const answers: Record<string, Record<string, unknown>> = {}
  for (const operation of ordered) {
    const { id, replies } = operation
    for (const status of Object.keys(replies)) {
      const kept = before.answers[id]?.[status]
      const isKept = fitsAnswer(operation, status, kept)
      const fresh = taken.get(`${id} ${status}`)
      const request = isKept ? before.requests[id] : fresh?.request
      const body = isKept ? kept : fresh?.body
      if (request) requests[id] ??= withoutEmpty(request)
      if (body !== undefined) (answers[id] ??= {})[status] = body
    }
  }
  return { requests, answers, ...pooled(refusalsOf(before, taken)) }
}

type Refusals = ReadonlyMap<string, ReadonlyMap<ErrorCode, unknown>>

/** By operation and code. */
function refusalsOf(before: RecordedExamples, taken: ReadonlyMap<string, Taken>): Refusals {
  return new Map(
    operations.map((operation) => {
      const { id } = operation
      const bodies = declaredErrors(operation).map((code) => {
        const index = before.refused[id]?.[code]
        const kept = index === undefined ? undefined : before.refusals[code]?.[index]
        const body = fitsRefusal(code, kept) ? kept : taken.get(`${id} ${code}`)?.body
        return [code, body] as const
      })
      return [id, new Map(bodies.filter(([, body]) => body !== undefined))] as const
    }),
  )
}

/** Equal refusals once, the most frequent of each code first. */
function pooled(byOperation: Refusals): Pick<RecordedExamples, 'refusals' | 'refused'> {
  const counts = new Map<ErrorCode, Map<string, number>>()
  for (const bodies of byOperation.values())
    for (const [code, body] of bodies) {
      const ofCode = counts.get(code) ?? new Map<string, number>()
      const text = JSON.stringify(body)
      counts.set(code, ofCode.set(text, (ofCode.get(text) ?? 0) + 1))
    }
  const texts = new Map(
    [...counts].map(([code, ofCode]) => {
      const sorted = [...ofCode].toSorted(
        ([a, aCount], [b, bCount]) => bCount - aCount || a.length - b.length || (a < b ? -1 : 1),
      )
      return [code, sorted.map(([text]) => text)]
    }),
  )
  const sortedCodes = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    refusals: Object.fromEntries(
      sortedCodes.map(([code, bodies]) => [
        code,
        bodies.map((body) => JSON.parse(body) as unknown),
      ]),
    ),
    refused: Object.fromEntries(
      [...byOperation]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, bodies]) => [
          id,
          Object.fromEntries(
            [...bodies].map(([code, body]) => [
              code,
              texts.get(code)?.indexOf(JSON.stringify(body)) ?? 0,
            ]),
          ),
        ]),
    ),
  }
}

const withoutEmpty = (request: RecordedRequest): RecordedRequest =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => JSON.stringify(value) !== '{}'))
