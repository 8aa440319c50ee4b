import type { RecordedRequest } from '../../../server/src/infra/http/schema/examples/recorded-examples.ts'

/** What an operation was asked and answered in a test. */
export type Exchange = Readonly<{
  operationId: string
  status: number
  request: RecordedRequest
  /** Nothing where the answer has no body. */
  answer?: unknown
  /** Sent by a sample of the reference or a page of the documentation, whose requests are made to be read. */
  isSample: boolean
}>

/** Successes are told apart by status, refusals by code. */
export const keyOf = ({ operationId, status, answer }: Exchange): string =>
  `${operationId} ${status < 400 ? status : (answer as { code: string }).code}`

/** Beyond this an example is no longer read. */
const CHARS_MAX = 12_000

/** Which of two exchanges of one key is the better example; the same whatever their order is. */
export function isBetter(one: Exchange, other: Exchange): boolean {
  for (const rank of [isShort, isSample, fieldCount]) {
    const difference = rank(one) - rank(other)
    if (difference !== 0) return difference > 0
  }
  const [text, otherText] = [textOf(one), textOf(other)]
  return text.length === otherText.length ? text < otherText : text.length < otherText.length
}

const textOf = ({ request, answer }: Exchange): string => JSON.stringify([request, answer])

const isShort = (exchange: Exchange): number => Number(textOf(exchange).length <= CHARS_MAX)

const isSample = (exchange: Exchange): number => Number(exchange.isSample)

/** How many distinct fields it shows. */
const fieldCount = ({ request, answer }: Exchange): number =>
  new Set([...fieldsIn(request.body), ...fieldsIn(answer)]).size

function* fieldsIn(value: unknown, above = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const path = Array.isArray(value) ? above : `${above}.${key}`
    yield path
    yield* fieldsIn(part, path)
  }
}
