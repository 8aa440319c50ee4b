import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as typebox from 'typebox'
import { Type } from './type.ts'

/** The same schemas by either builder. */
function schemasBy(type: typeof Type): readonly object[] {
  const text = type.String({ maxLength: 3, description: 'A text.' })
  const either = type.Union([text, type.Null()], { title: 'Either' })
  return [
    text,
    either,
    ...[type.Boolean(), type.Integer({ minimum: 1 }), type.Number(), type.Null()],
    ...[type.Unknown(), type.Unknown({ description: 'Anything.' })],
    ...[type.Literal('a'), type.Literal(true), type.Literal(1, { title: 'One' })],
    type.Enum(['a', 'b'], { title: 'Letter' }),
    type.Array(text, { minItems: 1 }),
    type.Immutable(type.Array(either)),
    type.Object({}),
    type.Object({ given: text, mayBe: type.Optional(text) }, { additionalProperties: false }),
    type.Object({ mayBe: type.Optional(type.Object({ inner: text })) }),
    type.Record(type.String(), text),
    type.Record(type.String({ pattern: '^[a-z]+$' }), text, { title: 'FieldDocs' }),
    type.Intersect([type.Object({ a: text }), type.Object({ b: either })], { title: 'Both' }),
    type.Unsafe<string>({ type: 'string', format: 'binary' }),
  ]
}

test('each builder makes the schema that TypeBox makes, its fields in the same order', () => {
  const [own, theirs] = [schemasBy(Type), schemasBy(typebox.Type)]
  assert.deepEqual(
    own.map((schema) => JSON.stringify(schema)),
    theirs.map((schema) => JSON.stringify(schema)),
  )
})

test('a schema that is made optional in one object stays required in others', () => {
  const text = Type.String()
  Type.Object({ text: Type.Optional(text) })
  assert.deepEqual(Object.entries(Type.Object({ text }))[1], ['required', ['text']])
})
