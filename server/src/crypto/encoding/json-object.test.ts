import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJsonObject } from './json-object.ts'

test('an object is read from text and from UTF-8 bytes; anything else is nothing', () => {
  assert.deepEqual(parseJsonObject('{"a":1}'), { a: 1 })
  assert.deepEqual(parseJsonObject(Buffer.from('{"a":"é"}', 'utf8')), { a: 'é' })
  for (const source of [
    '',
    '[]',
    'null',
    '"a"',
    '1',
    '{',
    '{"a":1}x',
    Buffer.from([0x7b, 0xff, 0x7d]),
  ]) {
    assert.equal(parseJsonObject(source), undefined, String(source))
  }
})
