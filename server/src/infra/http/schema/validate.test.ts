import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from './type.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { E164_PATTERN } from '../../../kernel/text/formats.ts'
import { requestValidator } from './validate.ts'
import { clearable, object, oneOf, taggedUnion, text } from './wire-schema.ts'

const fields = { name: Type.Optional(text(5)) }
const Person = object('TestPerson', {
  kind: oneOf(['PERSON']),
  ...fields,
  phone: clearable(Type.String({ format: 'e.164', pattern: E164_PATTERN })),
})
const Firm = object('TestFirm', { kind: oneOf(['FIRM']), ...fields, size: Type.Integer() })
const validate = requestValidator(
  taggedUnion({ name: 'TestParty', tag: 'kind', shared: fields }, [Person, Firm]),
)

const KINDS = { enum: ['PERSON', 'FIRM'] }

type Case = readonly [body: object, errors: readonly FieldError[], because: string]

const CASES: readonly Case[] = [
  [{ kind: 'PERSON' }, [], 'everything else is optional'],
  [
    {},
    [{ field: 'kind', message: 'is required', constraint: KINDS }],
    'a missing tag names the variants there are',
  ],
  [
    { kind: 'DOG', name: 5 },
    [
      { field: 'name', message: 'must be a string' },
      { field: 'kind', message: 'must be one of PERSON, FIRM', constraint: KINDS },
    ],
    'shared fields are checked although the variant is unknown',
  ],
  [{ kind: 'PERSON', size: 'large' }, [], 'a field of the other variant is one more unknown field'],
  [
    { kind: 'PERSON', phone: '555' },
    [
      {
        field: 'phone',
        message: 'must be a telephone number with + and country code, such as +14155550123',
        constraint: { format: 'e.164', pattern: E164_PATTERN },
      },
    ],
    'one field, one error, with all it breaks',
  ],
  [{ kind: 'PERSON', phone: null }, [], 'null clears'],
  [
    { kind: 'PERSON', name: '\t \n' },
    [
      {
        field: 'name',
        message: 'must have at least 1 character',
        constraint: { minLength: 1 },
      },
    ],
    'empty once trimmed',
  ],
  [
    { kind: 'PERSON', name: 'abcdef' },
    [{ field: 'name', message: 'must have at most 5 characters', constraint: { maxLength: 5 } }],
    'too long',
  ],
  [{ kind: 'PERSON', name: '🙂🙂🙂🙂🙂' }, [], 'five characters, though ten code units'],
  [{ kind: 'PERSON', name: '  abcde  ' }, [], 'blanks at both ends do not count'],
  [
    { kind: 'PERSON', name: 'a\u007fb' },
    [{ field: 'name', message: 'must not contain control or invisible characters' }],
    'a control character inside',
  ],
  [
    { kind: 'PERSON', name: 'a\u202eb' },
    [{ field: 'name', message: 'must not contain control or invisible characters' }],
    'a character that turns the writing direction',
  ],
  ...['\u00ad', '\u061c', '\u115f', '\u2065', '\u3164', '\ufffb', '\u{e0041}'].map(
    (hidden): Case => [
      { kind: 'PERSON', name: `a${hidden}b` },
      [{ field: 'name', message: 'must not contain control or invisible characters' }],
      'a character that is not seen',
    ],
  ),
  [
    { kind: 'PERSON', name: 'ab\u200d' },
    [{ field: 'name', message: 'must not contain control or invisible characters' }],
    'a joiner with nothing to join',
  ],
  [{ kind: 'PERSON', name: 'می\u200cخ' }, [], 'a joiner that the script needs inside a word'],
  [{ kind: 'PERSON', name: '👩\u200d💻' }, [], 'a joiner that makes one picture of two'],
]

describe('CORE-30 CUST-5 what a request must be', () => {
  for (const [body, errors, because] of CASES) {
    test(`${JSON.stringify(body)}: ${because}`, () => {
      assert.deepEqual(validate(structuredClone(body)), errors)
    })
  }
})

test('CUST-5 text is trimmed and brought into one Unicode form, and otherwise kept', () => {
  const body = { kind: 'PERSON', name: ' e\u0301<b> ' }
  assert.deepEqual(validate(body), [])
  assert.equal(body.name, '\u00e9<b>')
})
