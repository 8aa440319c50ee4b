import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHex } from './hex.ts'

test('chapter 20: hex is read in either case, in whole bytes, and nothing else is', () => {
  assert.deepEqual(decodeHex('00fF'), Buffer.from([0, 255]))
  for (const text of ['', '0', 'abc', '0x00', 'gg', '00 ', '00\n', 'ａａ']) {
    assert.equal(decodeHex(text), undefined, JSON.stringify(text))
  }
})
