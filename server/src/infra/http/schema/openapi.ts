import type { TSchema } from './type.ts'
import { ERRORS, type ErrorCode } from '../../../kernel/errors.ts'
import { REASONS } from './field-docs/refusal-reasons.ts'
import type { WireBrand } from '../../settings/wire-brand.ts'
import { declaredErrors } from './declared-errors.ts'
import { describeParameters } from './describe-parameters.ts'
import { namedSchemas, referenceTo, type JsonSchema, type NamedSchemas } from './named-schemas.ts'
import { isStream, type Operation } from '../operation.ts'
import { ErrorSchema } from './reply-checker.ts'
import { SDK_METHODS } from './examples/sdk-methods.ts'
import { TAGS } from './tags.ts'
import { filePartsOf } from './wire-schema.ts'
import { addFieldDocs, addFieldDocsToAll } from './field-docs/add-field-docs.ts'
import { readRecorded } from './examples/recorded-examples.ts'
import { withExamples } from './examples/with-examples.ts'

export type OpenApi = Readonly<Record<string, unknown>>

export type DescribedWebhook = Readonly<{
  type: string
  summary: string
  /** The name of the schema of its data, among those of the operations' answers. */
  dataSchema: string | undefined
  /** The schema itself, where no operation has it in an answer. */
  data?: TSchema | undefined
  /** For a webhook whose answer matters. */
  question?: WebhookQuestion | undefined
}>

/** The meaning of each status in the answer to a webhook. */
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

/** The OpenAPI description, from the schemas that validate requests, with the installation's brand (CORE-86). */
export function describeApi({ brand, ...options }: DescribeOptions): OpenApi {
  const description = withExamples(describeUnbranded(options), readRecorded())
  if (!brand) return description
  const text = brand.inText(JSON.stringify(description))
  return JSON.parse(text.replaceAll(SCHEMA_BRAND, brand.word)) as OpenApi
}

/** The brand in the name of a schema, as in `StablecoinServiceOperationsStatus`. */
const SCHEMA_BRAND = /(?<=[a-z])Service(?=[A-Z])/g

/** Conventions of every operation, for readers of the description alone. */
const CONVENTIONS = `JSON over HTTPS, with HTTP Basic authentication: the client id and secret of an API token.

- **Ids** are \`<Type>:<uuid>\`, such as \`Customer:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57\`, and sort by creation.
- **Amounts** are integers in the smallest unit of their currency: \`12550\` in USD is 125.50.
- **Times** are ISO 8601 in UTC with milliseconds, dates \`YYYY-MM-DD\`; countries are ISO 3166-1 alpha-2.
- **Absent** optional fields are left out of answers. In a PATCH, \`null\` clears a field.
- **Idempotency**: a write under an \`Idempotency-Key\` has one effect and one answer, however often it is sent.
- **Lists** have \`data\`, \`hasMore\` and \`nextCursor\`; ask for the next page with \`cursor\`.
- **Errors** are \`{status, code, message, details}\`; decide by \`code\`. \`x-florin-error-catalogue\` lists them all.
- **Webhooks** are signed; the same event keeps its \`id\` in every delivery.`

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
    item[operation.method.toLowerCase()] = describeOperation(operation, { schemas, error })
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
      description: CONVENTIONS,
      contact: { name: 'Florin', url: new URL('../docs', `${serverUrl}/`).href },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ BasicAuth: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: hooks,
    components: {
      schemas: addFieldDocsToAll(schemas.all()),
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
    'x-florin-error-catalogue': Object.entries(ERRORS).map(([code, entry]) => ({
      code,
      ...entry,
      ...(REASONS[code as ErrorCode] && { reasons: REASONS[code as ErrorCode] }),
    })),
  }
}

type Reference = NamedSchemas['reference']

/** Refers to named schemas; the fields of an unnamed one get the descriptions of these places. */
const documentedIn =
  ({ reference, find }: NamedSchemas, ...places: string[]): Reference =>
  (schema) =>
    addFieldDocs(reference(schema), { places, find })

function describeOperation(
  operation: Operation,
  { schemas, error }: Readonly<{ schemas: NamedSchemas; error: JsonSchema }>,
): Shape {
  const { id, tag, summary, description, successor, needs, body, bodyOptional } = operation
  const codes = declaredErrors(operation)
  const reference = documentedIn(schemas, id)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(successor && { deprecated: true }),
    ...(needs === 'AGENT' && { security: [{ AgentAuth: [] }] }),
    ...(needs === 'NOTHING' && { security: [] }),
    parameters: describeParameters(operation, schemas),
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
    ...(SDK_METHODS[id] && { 'x-florin-sdk-method': SDK_METHODS[id] }),
  }
}

/** The example of a form also names its files; their bytes are not shown. */
function exampleOf({ example, body, form }: Operation): Shape {
  if (example === undefined) return {}
  const files = form && body ? filePartsOf(body).map((name) => [name, '(binary)']) : []
  return { example: form ? { ...(example as Shape), ...Object.fromEntries(files) } : example }
}

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

function describeWebhook(webhook: DescribedWebhook, schemas: NamedSchemas): Shape {
  const { type, summary, question } = webhook
  const place = { places: [`webhook-${type}`, 'webhook'], find: schemas.find }
  const reference = documentedIn(schemas, ...place.places)
  const answers = question
    ? Object.entries(question.answers).map(([status, { description, body }]) => [
        status,
        { description, ...(body && { content: jsonOf(reference(body)) }) },
      ])
    : [['2XX', { description: 'Received.' }]]
  return {
    post: {
      operationId: `webhook-${type}`,
      summary,
      security: [{ WebhookSignature: [] }],
      requestBody: {
        content: jsonOf(
          addFieldDocs(
            {
              type: 'object',
              required: ['id', 'type', 'timestamp', 'data'],
              properties: {
                id: { type: 'string' },
                type: { type: 'string', const: type },
                timestamp: { type: 'string', format: 'date-time' },
                data: dataOf(webhook, schemas),
              },
            },
            place,
          ),
        ),
      },
      responses: {
        ...Object.fromEntries(answers),
        '409': { description: 'Already processed.' },
      },
    },
  }
}

function dataOf({ dataSchema = '', data }: DescribedWebhook, schemas: NamedSchemas): JsonSchema {
  if (data) return schemas.reference(data)
  return dataSchema in schemas.all() ? referenceTo(dataSchema) : { type: 'object' }
}

const jsonOf = (schema: JsonSchema): Shape => ({ 'application/json': { schema } })
