import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { InterfaceDescription, Schema } from './interface-description.ts'
import { docComment, typeNameOf, typeText } from './type-text.ts'

const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const CASES: readonly Readonly<{ schema: Schema; text: string; because: string }>[] = [
  { schema: { type: 'string', format: 'date-time' }, text: 'string', because: 'times are text' },
  { schema: { type: 'string', format: 'binary' }, text: 'Upload', because: 'a file' },
  { schema: { type: 'integer' }, text: 'number', because: 'amounts are numbers' },
  { schema: { type: 'string', enum: ['A', "B's"] }, text: "'A' | 'B\\'s'", because: 'a choice' },
  { schema: { type: 'string', const: 'A' }, text: "'A'", because: 'one value' },
  { schema: named('CustomerOneOf'), text: 'Customer', because: 'how it is made does not matter' },
  { schema: named('Error'), text: 'ErrorBody', because: 'the language has one' },
  {
    schema: { type: 'array', items: { type: 'string', enum: ['A', 'B'] } },
    text: "('A' | 'B')[]",
    because: 'a list of a union',
  },
  {
    schema: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    text: 'string | null',
    because: 'what may be cleared',
  },
  {
    schema: { anyOf: [named('Info'), {}] },
    text: 'Info',
    because: 'an alternative that takes anything says nothing',
  },
  {
    schema: { type: 'object', oneOf: [named('A'), named('B')] },
    text: 'A | B',
    because: 'one of several',
  },
  { schema: { allOf: [named('A'), named('B')] }, text: 'A & B', because: 'all of several' },
  {
    schema: { type: 'object', patternProperties: { '^.*$': {} } },
    text: 'Record<string, unknown>',
    because: 'any keys',
  },
  { schema: {}, text: 'unknown', because: 'nothing is said' },
  {
    schema: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', description: 'Its name.' }, 'a-b': { type: 'boolean' } },
    },
    text: "{\n/** Its name. */\nid: string\n'a-b'?: boolean\n}",
    because: 'what is said of a field goes along',
  },
]

for (const { schema, text, because } of CASES) {
  test(`${JSON.stringify(schema)} becomes a type: ${because}`, () => {
    assert.equal(typeText(schema), text)
  })
}

test('a comment cannot be ended by what is said in it', () => {
  assert.doesNotMatch(docComment(['a */ b']).slice(0, -4), /\*\//)
})

test('no two schemas share a name', async () => {
  const path = new URL('../../docs/reference/openapi.json', import.meta.url)
  const description = JSON.parse(await readFile(path, 'utf8')) as InterfaceDescription
  const names = Object.keys(description.components.schemas).map(typeNameOf)
  assert.equal(new Set(names).size, names.length)
})
