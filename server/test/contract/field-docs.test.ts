import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe } from '../../src/app/description.ts'
import type { JsonSchema } from '../../src/infra/http/schema/named-schemas.ts'
import { Type } from '../../src/infra/http/schema/type.ts'
import { replyValidator } from '../../src/infra/http/schema/validate.ts'
import { isPlain, resolved } from '../../src/infra/http/schema/field-docs/example-value.ts'
import { FIELD_DOC_TABLES } from '../../src/infra/http/schema/field-docs/field-doc-tables.ts'

type Content = Readonly<Record<string, Readonly<{ schema: JsonSchema }>>>
type Parameter = Readonly<{
  in: string
  name: string
  description?: string
  schema: JsonSchema
  example?: unknown
}>
type DescribedOperation = Readonly<{
  operationId: string
  description?: string
  parameters?: readonly Parameter[]
  requestBody?: Readonly<{ content: Content }>
  responses: Readonly<Record<string, Readonly<{ content?: Content }>>>
}>
type Items = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
type Described = Readonly<{
  paths: Items
  webhooks: Items
  components: Readonly<{ schemas: Readonly<Record<string, JsonSchema>> }>
}>

const { paths, webhooks, components } = describe({
  publicUrl: 'https://florin.example',
  wireBrand: 'Service',
}) as unknown as Described

const find = (name: string): JsonSchema | undefined => components.schemas[name]

type DocumentedField = Readonly<{
  place: string
  names: readonly string[]
  description: string | undefined
  schema: JsonSchema
  example: unknown
}>

/** Every field of a schema, at any depth, but those behind a reference. */
function* fieldsIn(schema: JsonSchema, place: string): Generator<DocumentedField> {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema as ListedParts
  for (const [name, field] of Object.entries(properties)) {
    const { description, examples = [] } = field as { description?: string; examples?: unknown[] }
    const names = [name, `${place}.${name}`, `webhook.${name}`]
    yield { place: `${place}.${name}`, names, description, schema: field, example: examples[0] }
    yield* fieldsIn(field, place)
  }
  for (const part of [...anyOf, ...oneOf, ...allOf]) yield* fieldsIn(part, place)
  if (items) yield* fieldsIn(items, place)
}

type ListedParts = Readonly<{
  properties?: Readonly<Record<string, JsonSchema>>
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
}>

const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) =>
  Object.values(item),
)
const contents = ({ requestBody, responses }: DescribedOperation): JsonSchema[] =>
  [requestBody, ...Object.values(responses)].flatMap((one) =>
    Object.values(one?.content ?? {}).map(({ schema }) => schema),
  )
const parameters = operations.flatMap(({ operationId, parameters: list = [] }) =>
  list.map(({ in: where, name, ...rest }): DocumentedField => ({
    ...rest,
    place: `${operationId} ${name}`,
    names: [name, `${operationId}.${name}`, `${where}.${name}`],
    description: rest.description,
    example: rest.example,
  })),
)
const fields = [
  ...Object.entries(components.schemas).flatMap(([name, schema]) => [...fieldsIn(schema, name)]),
  ...operations.flatMap((operation) =>
    contents(operation).flatMap((schema) => [...fieldsIn(schema, operation.operationId)]),
  ),
]
const documented: readonly DocumentedField[] = [...fields, ...parameters]

test('CORE-87 every operation, field and parameter says in words what it means', () => {
  assert.ok(fields.length > 2_000 && parameters.length > 300, 'all of them are looked at')
  const silent = documented.filter(({ description = '' }) => !/\w.*[.)]$/s.test(description))
  assert.deepEqual(
    silent.map(({ place, description }) => [place, description]),
    [],
  )
  const unexplained = Object.values(paths).flatMap((item) =>
    Object.values(item).filter(({ description = '' }) => description === ''),
  )
  assert.deepEqual(
    unexplained.map(({ operationId }) => operationId),
    [],
  )
})

test('CORE-87 every field and parameter that is no object has an example', () => {
  const bare = documented.filter(
    ({ schema, example }) => example === undefined && isPlain(schema, find),
  )
  assert.deepEqual(
    bare.map(({ place }) => place),
    [],
  )
})

test('CORE-87 an example satisfies the schema of its field', () => {
  const validators = new Map<string, ReturnType<typeof replyValidator>>()
  const findings = documented.flatMap(({ place, schema, example }) => {
    if (example === undefined) return []
    const { description: _words, examples: _examples, ...bare } = resolved(schema, find)
    const items = bare['items'] as JsonSchema | undefined
    const whole = items ? { ...bare, items: resolved(items, find) } : bare
    const text = JSON.stringify(whole)
    const validate =
      validators.get(text) ?? replyValidator(Type.Object({ value: Type.Unsafe(whole) }))
    validators.set(text, validate)
    return validate({ value: example }).map(({ message }) => [place, example, message])
  })
  assert.deepEqual(findings, [])
})

test('CORE-87 every row of the tables describes a field or parameter, and stands in one table', () => {
  const used = new Set(documented.flatMap(({ names }) => names))
  const rows = FIELD_DOC_TABLES.flatMap((table) => Object.keys(table))
  assert.deepEqual(rows.toSorted(), [...new Set(rows)].toSorted())
  assert.deepEqual(
    rows.filter((row) => !used.has(row)),
    [],
  )
})
