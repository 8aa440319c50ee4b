import assert from 'node:assert/strict'
import { test } from 'node:test'

type Schema = Record<string, unknown>
type Example = { value: unknown; variants: { path: string; labels: string[]; selected: number }[] }
type Options = {
  reader: unknown
  schema: Schema
  mode: 'request' | 'response'
  choices?: Map<string, number>
  full?: boolean
}

const load = (name: string) => import(new URL(name, import.meta.url).href)
const { createExample }: { createExample(options: Options): Example } = await load('example.js')
const { createSchemaReader }: { createSchemaReader(document: unknown): unknown } =
  await load('schema.js')

const text = { type: 'string' }
const schemas = {
  Node: {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/Node' } },
  },
  Cat: {
    type: 'object',
    required: ['kind', 'lives'],
    properties: { kind: { const: 'CAT' }, lives: { type: 'integer', minimum: 9 } },
  },
  Dog: { type: 'object', required: ['kind'], properties: { kind: { const: 'DOG' } } },
}
const reader = createSchemaReader({ components: { schemas } })
const pets = { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] }

const CASES: { because: string; schema: Schema; options?: Partial<Options>; value: unknown }[] = [
  {
    because: 'only the required fields are needed',
    schema: { type: 'object', required: ['a'], properties: { a: { type: 'boolean' }, b: text } },
    value: { a: true },
  },
  {
    because: 'all fields when asked, but none that the service alone writes',
    schema: { type: 'object', properties: { id: { ...text, readOnly: true }, email: text } },
    options: { full: true },
    value: { email: 'ada@example.com' },
  },
  {
    because: 'an update without required fields still shows some',
    schema: { type: 'object', properties: { label: text, address: { type: 'object' } } },
    value: { label: 'Everyday' },
  },
  {
    because: 'parts of allOf are one object, and the narrower value wins',
    schema: {
      allOf: [
        { type: 'object', required: ['type'], properties: { type: { enum: ['A', 'B'] } } },
        { properties: { type: { const: 'B' } } },
      ],
    },
    value: { type: 'B' },
  },
  {
    because: 'one of several sets of required fields is complete',
    schema: {
      type: 'object',
      properties: { email: text, phoneNumber: text },
      anyOf: [{ required: ['phoneNumber'] }, { required: ['email'] }],
    },
    value: { phoneNumber: '+14155550132' },
  },
  {
    because: 'a union of literals is a list of values, null is no variant',
    schema: { anyOf: [{ const: 'X' }, { const: 'Y' }, { type: 'null' }] },
    value: 'X',
  },
  {
    because: 'a given example is taken as it is',
    schema: { ...text, example: 'mine' },
    value: 'mine',
  },
  {
    because: 'a schema that contains itself ends',
    schema: { $ref: '#/components/schemas/Node' },
    value: { next: {} },
  },
  { because: 'the first variant, unless', schema: pets, value: { kind: 'CAT', lives: 9 } },
  {
    because: 'another was chosen',
    schema: pets,
    options: { choices: new Map([['', 1]]) },
    value: { kind: 'DOG' },
  },
  {
    because: 'a variant inside a list has the path of the list',
    schema: {
      type: 'object',
      required: ['pets'],
      properties: { pets: { type: 'array', items: pets } },
    },
    options: { choices: new Map([['pets[]', 1]]) },
    value: { pets: [{ kind: 'DOG' }] },
  },
]

for (const { because, schema, options, value } of CASES) {
  test(`CORE-86 an example body: ${because}`, () => {
    const example = createExample({ reader, schema, mode: 'request', ...options })
    assert.deepEqual(example.value, value)
  })
}

test('CORE-86 variants are named by the constant that tells them apart', () => {
  const { variants } = createExample({ reader, schema: pets, mode: 'request' })
  assert.deepEqual(variants, [{ path: '', property: 'kind', labels: ['CAT', 'DOG'], selected: 0 }])
})
