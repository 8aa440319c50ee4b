import { ERRORS, type ErrorCode } from '../../../../kernel/errors.ts'
import type { RecordedExamples } from './recorded-examples.ts'

type Shape = Readonly<Record<string, unknown>>
type DescribedOperation = Shape &
  Readonly<{
    operationId: string
    parameters: readonly Parameter[]
    requestBody?: Shape & { content: Contents }
    responses: Readonly<Record<string, Shape & { content?: Contents }>>
    'x-florin-errors': readonly ErrorCode[]
  }>
type Parameter = Shape & Readonly<{ name: string; in: string; schema: Shape }>
type Contents = Readonly<Record<string, Shape>>
type Components = Shape & Readonly<{ examples?: Shape }>
/** The parts of a description that get examples. */
type Described = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  components: Components
}>

/** Name of the example of a refusal among the components. */
const nameOf = (code: string, index: number): string =>
  index === 0 ? code : `${code}-${index + 1}`

/** Adds the recorded examples to parameters, bodies and answers; refusals are listed once, among the components (OPER-180). */
export function withExamples(description: Shape, recorded: RecordedExamples): Shape {
  const { paths: described, components } = description as Described
  const used = new Map<string, unknown>()
  const refusalOf = (id: string, code: ErrorCode): [string, Shape] | undefined => {
    const index = recorded.refused[id]?.[code] ?? 0
    const value = recorded.refusals[code]?.[index]
    if (value === undefined) return undefined
    used.set(nameOf(code, index), { value })
    return [code, { $ref: `#/components/examples/${nameOf(code, index)}` }]
  }
  const paths = mapValues(described, (item) =>
    mapValues(item, (operation) => withOwn(operation, recorded, refusalOf)),
  )
  const examples = Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { ...description, paths, components: { ...components, examples } }
}

type RefusalOf = (id: string, code: ErrorCode) => [string, Shape] | undefined

function withOwn(
  operation: DescribedOperation,
  recorded: RecordedExamples,
  refusalOf: RefusalOf,
): DescribedOperation {
  const { operationId: id, parameters, requestBody, responses } = operation
  const { params, query, body, isSigned } = recorded.requests[id] ?? {}
  const given: Readonly<Record<string, Shape | undefined>> = { path: params, query }
  return {
    ...operation,
    ...(isSigned && { 'x-florin-signed': true }),
    parameters: parameters.map((parameter) => {
      const example = given[parameter.in]?.[parameter.name]
      return example === undefined
        ? parameter
        : { ...parameter, example: typed(parameter, example) }
    }),
    ...(requestBody && { requestBody: withBody(requestBody, body) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const { content } = response
        if (!content) return [status, response]
        const codes = operation['x-florin-errors'].filter(
          (code) => String(ERRORS[code].status) === status,
        )
        const refusals = codes.map((code) => refusalOf(id, code)).filter((one) => one !== undefined)
        const answer = recorded.answers[id]?.[status]
        const shown =
          codes.length > 0 ? { examples: Object.fromEntries(refusals) } : { example: answer }
        return [
          status,
          { ...response, content: mapValues(content, (one) => ({ ...one, ...shown })) },
        ]
      }),
    ),
  }
}

/** Parses a value from an address, where every type is text. */
const typed = ({ schema }: Parameter, text: unknown): unknown =>
  ['integer', 'number', 'boolean'].includes(String(schema['type']))
    ? JSON.parse(String(text))
    : text

const withBody = <Body extends Shape & { content: Contents }>(
  requestBody: Body,
  body: unknown,
): Body =>
  body === undefined
    ? requestBody
    : {
        ...requestBody,
        content: mapValues(requestBody.content, (one) => ({ ...one, example: body })),
      }

const mapValues = <T, U>(
  of: Readonly<Record<string, T>>,
  map: (value: T) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value)]))
