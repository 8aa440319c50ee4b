import type { TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../../kernel/errors.ts'
import type { WireBrand } from '../../settings/wire-brand.ts'
import { declaredErrors } from './declared-errors.ts'
import { namedSchemas, referenceTo, type JsonSchema } from './named-schemas.ts'
import { isStream, takesKey, type Operation } from '../operation.ts'
import { isDateFilter } from '../input/query-values.ts'
import { ErrorSchema } from './reply-checker.ts'
import { TAGS } from './tags.ts'

export type OpenApi = Readonly<Record<string, unknown>>

export type DescribedWebhook = Readonly<{
  type: string
  summary: string
  /** Name of the schema of its data, among those that the operations answer with. */
  dataSchema: string | undefined
  /** The schema itself, where no operation answers with it. */
  data?: TSchema | undefined
  /** Where the answer matters. */
  question?: WebhookQuestion | undefined
}>

/** What each status of the answer to a webhook that asks means. */
export type WebhookQuestion = Readonly<{
  answers: Readonly<Record<number, Readonly<{ description: string; body?: TSchema }>>>
}>

export type DescribeOptions = Readonly<{
  operations: readonly Operation[]
  webhooks: readonly DescribedWebhook[]
  /** Address of the API, version included. */
  serverUrl: string
  brand: WireBrand | undefined
}>

type Shape = Readonly<Record<string, unknown>>

/** CORE-86: the interface description, from the very schemas that validate requests, in the brand of the installation. */
export function describeApi({ brand, ...options }: DescribeOptions): OpenApi {
  const description = describeUnbranded(options)
  if (!brand) return description
  const text = brand.inText(JSON.stringify(description))
  return JSON.parse(text.replaceAll(SCHEMA_BRAND, brand.word)) as OpenApi
}

/** Where the name of a schema holds the brand, as in `StablecoinServiceOperationsStatus`. */
const SCHEMA_BRAND = /(?<=[a-z])Service(?=[A-Z])/g

function describeUnbranded({
  operations,
  webhooks,
  serverUrl,
}: Omit<DescribeOptions, 'brand'>): OpenApi {
  const schemas = namedSchemas()
  const error = schemas.reference(ErrorSchema)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {})
    const { reference } = schemas
    item[operation.method.toLowerCase()] = describeOperation(operation, { reference, error })
  }
  const hooks = Object.fromEntries(
    webhooks.map((webhook) => [webhook.type, describeWebhook(webhook, schemas)]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Florin',
      version: '2025-10-13',
      summary:
        'Customers and their verification, balances, payouts, embedded wallets, cards, agents and stablecoins behind one HTTP API.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ BasicAuth: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: hooks,
    components: {
      schemas: schemas.all(),
      securitySchemes: {
        BasicAuth: {
          type: 'http',
          scheme: 'basic',
          description: "User name: the token's client id or id. Password: its client secret.",
        },
        AgentAuth: { type: 'http', scheme: 'bearer', description: "An agent's access token." },
        WebhookSignature: { type: 'apiKey', in: 'header', name: 'X-Service-Signature' },
      },
    },
    'x-florin-error-catalogue': Object.entries(ERRORS).map(([code, entry]) => ({ code, ...entry })),
  }
}

type Schemas = ReturnType<typeof namedSchemas>
type Reference = Schemas['reference']

type Names = Readonly<{ reference: Reference; error: JsonSchema }>

function describeOperation(operation: Operation, names: Names): Shape {
  const { reference, error } = names
  const { id, tag, summary, description, successor, needs, body, bodyOptional } = operation
  const codes = declaredErrors(operation)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(successor && { deprecated: true }),
    ...(needs === 'AGENT' && { security: [{ AgentAuth: [] }] }),
    ...(needs === 'NOTHING' && { security: [] }),
    parameters: parametersOf(operation, names),
    ...(body && {
      requestBody: {
        required: !bodyOptional,
        content: {
          [operation.form ? 'multipart/form-data' : 'application/json']: {
            schema: reference(body),
            ...exampleOf(operation),
          },
        },
      },
    }),
    responses: { ...successes(operation, reference), ...refusals(codes, error) },
    'x-florin-permission': needs,
    'x-florin-errors': codes,
  }
}

const exampleOf = ({ example }: Operation): Shape => (example === undefined ? {} : { example })

function successes(operation: Operation, reference: Reference): Shape {
  const { replies } = operation
  if (isStream(operation))
    return { 200: { description: 'Events as they happen.', content: EVENT_STREAM } }
  return Object.fromEntries(
    Object.entries(replies).map(([status, schema]) => [
      status,
      schema
        ? {
            description: 'Success.',
            content: { 'application/json': { schema: reference(schema) } },
          }
        : { description: 'Success, without a body.' },
    ]),
  )
}

const EVENT_STREAM = { 'text/event-stream': { schema: { type: 'string' } } }

/** One entry per status; the description names the codes that go with it. */
function refusals(codes: readonly ErrorCode[], error: JsonSchema): Shape {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, named]) => [
        String(status),
        {
          description: named.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
          content: { 'application/json': { schema: error } },
        },
      ]),
  )
}

function parametersOf(operation: Operation, { reference }: Names): Shape[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchema(operation, name),
  }))
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: operation.key === 'required',
    description: 'The same request under the same key has one effect and one answer, for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
  return [
    ...inPath,
    ...fieldsOf(operation.query, 'query', reference),
    ...fieldsOf(operation.headers, 'header', reference),
    ...(takesKey(operation) ? [key] : []),
  ]
}

function pathSchema({ params }: Operation, name: string): unknown {
  const properties = (params as { properties?: Record<string, unknown> } | undefined)?.properties
  return properties?.[name] ?? { type: 'string' }
}

function fieldsOf(
  schema: TSchema | undefined,
  place: 'query' | 'header',
  reference: Reference,
): Shape[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema & { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...descriptionOf(name, field, place),
    schema: reference(field),
  }))
}

/** Beside what the field says of itself: the forms that every query takes (CORE-14). */
function descriptionOf(
  name: string,
  field: TSchema & { description?: string; type?: unknown },
  place: 'query' | 'header',
): Shape {
  const forms = [
    ...(isDateFilter(name, field) ? ['A plain date is that whole UTC day.'] : []),
    ...(field.type === 'array' ? ['Repeated, or separated by commas.'] : []),
  ]
  const description = [field.description ?? '', ...(place === 'query' ? forms : [])]
  return description.join('') === '' ? {} : { description: description.join(' ').trim() }
}

function describeWebhook(webhook: DescribedWebhook, schemas: Schemas): Shape {
  const { type, summary, question } = webhook
  const answers = question
    ? Object.entries(question.answers).map(([status, { description, body }]) => [
        status,
        { description, ...(body && { content: jsonOf(schemas.reference(body)) }) },
      ])
    : [['2XX', { description: 'Received.' }]]
  return {
    post: {
      operationId: `webhook-${type}`,
      summary,
      security: [{ WebhookSignature: [] }],
      requestBody: {
        content: jsonOf({
          type: 'object',
          required: ['id', 'type', 'timestamp', 'data'],
          properties: {
            id: { type: 'string' },
            type: { type: 'string', const: type },
            timestamp: { type: 'string', format: 'date-time' },
            data: dataOf(webhook, schemas),
          },
        }),
      },
      responses: {
        ...Object.fromEntries(answers),
        '409': { description: 'Already processed.' },
      },
    },
  }
}

function dataOf({ dataSchema = '', data }: DescribedWebhook, schemas: Schemas): JsonSchema {
  if (data) return schemas.reference(data)
  return dataSchema in schemas.all() ? referenceTo(dataSchema) : { type: 'object' }
}

const jsonOf = (schema: JsonSchema): Shape => ({ 'application/json': { schema } })
