import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type, type Static } from './type.ts'

const text = Type.String({ maxLength: 3, description: 'A text.' })
const TEXT = { type: 'string', maxLength: 3, description: 'A text.' }
const either = Type.Union([text, Type.Null()], { title: 'Either' })
const EITHER = { anyOf: [TEXT, { type: 'null' }], title: 'Either' }
const person = Type.Object({ given: text, mayBe: Type.Optional(either) }, { title: 'Person' })
const PERSON = {
  type: 'object',
  required: ['given'],
  properties: { given: TEXT, mayBe: EITHER },
  title: 'Person',
}

const CASES: readonly (readonly [string, object, object])[] = [
  ['a text', text, TEXT],
  ['a boolean', Type.Boolean(), { type: 'boolean' }],
  ['an integer', Type.Integer({ minimum: 1 }), { type: 'integer', minimum: 1 }],
  ['a number', Type.Number(), { type: 'number' }],
  ['null', Type.Null(), { type: 'null' }],
  ['anything', Type.Unknown({ description: 'Anything.' }), { description: 'Anything.' }],
  ['one text', Type.Literal('a', { title: 'A' }), { type: 'string', const: 'a', title: 'A' }],
  ['one boolean', Type.Literal(true), { type: 'boolean', const: true }],
  ['some texts', Type.Enum(['a', 'b'], { title: 'Letter' }), { enum: ['a', 'b'], title: 'Letter' }],
  ['a union', either, EITHER],
  ['a list', Type.Array(text, { minItems: 1 }), { type: 'array', items: TEXT, minItems: 1 }],
  ['a fixed list', Type.Immutable(Type.Array(text)), { type: 'array', items: TEXT }],
  ['an object', person, PERSON],
  ['an object without a field', Type.Object({}), { type: 'object', properties: {} }],
  [
    'an object whose fields may be absent',
    Type.Object({ mayBe: Type.Optional(person) }),
    { type: 'object', properties: { mayBe: PERSON } },
  ],
  [
    'a table with any keys',
    Type.Record(Type.String(), text),
    { type: 'object', patternProperties: { '^.*$': TEXT } },
  ],
  [
    'a table with keys of one form',
    Type.Record(Type.String({ pattern: '^[a-z]+$' }), text, { title: 'Table' }),
    { type: 'object', patternProperties: { '^[a-z]+$': TEXT }, title: 'Table' },
  ],
  [
    'two in one',
    Type.Intersect([person, Type.Object({ other: text })], { title: 'Both' }),
    {
      allOf: [PERSON, { type: 'object', required: ['other'], properties: { other: TEXT } }],
      title: 'Both',
    },
  ],
  ['any keywords', Type.Unsafe<string>({ format: 'binary' }), { format: 'binary' }],
]

for (const [what, schema, expected] of CASES) {
  test(`the schema of ${what}, its fields in the order of the published description`, () => {
    assert.equal(JSON.stringify(schema), JSON.stringify(expected))
  })
}

test('a schema that is made optional in one object stays required in others', () => {
  Type.Object({ text: Type.Optional(text) })
  assert.deepEqual(Object.entries(Type.Object({ text }))[1], ['required', ['text']])
})

/** Calls with another type do not compile, nor does one whose two types differ in what may be absent or null. */
const hasType =
  <Expected>() =>
  <S extends Expected>(...same: Expected extends S ? [] : [never]): unknown =>
    same

test('a schema knows the type of its values', () => {
  const both = Type.Intersect([person, Type.Object({ other: Type.Enum(['a', 'b']) })])
  const table = Type.Record(Type.String(), Type.Immutable(Type.Array(Type.Literal(1))))
  hasType<string>()<Static<typeof text>>()
  hasType<{ given: string; mayBe?: string | null }>()<Static<typeof person>>()
  hasType<{ given: string; mayBe?: string | null; other: 'a' | 'b' }>()<Static<typeof both>>()
  hasType<Record<string, readonly 1[]>>()<Static<typeof table>>()
  // @ts-expect-error a field that must be there is none that may be absent
  hasType<{ given?: string; mayBe?: string | null }>()<Static<typeof person>>()
})
