import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeBase64url, decodeEitherBase64 } from './base64url.ts'

test('chapter 20, 3.11: bytes come back from base64url with and without padding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const buffer = Buffer.from(bytes)
      const bare = buffer.toString('base64url')
      const padded = bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')
      assert.deepEqual(decodeBase64url(bare), buffer)
      assert.deepEqual(decodeBase64url(padded), buffer)
      assert.deepEqual(decodeEitherBase64(buffer.toString('base64')), buffer)
    }),
  )
})

test('chapter 20, 3.11: a text that is not base64url is refused', () => {
  const cases = [
    ['a', 'six bits make no byte'],
    ['aaaaa', 'neither do six bits too many'],
    ['ab=c', 'padding inside'],
    ['ab===', 'too much padding'],
    ['a b', 'white space'],
    ['a+/b', 'the standard alphabet'],
    ['aé', 'another character'],
    ['aB', 'four bits that no byte accounts for'],
    ['aaB', 'two bits that no byte accounts for'],
  ] as const
  for (const [text, why] of cases) assert.equal(decodeBase64url(text), undefined, why)
})

test('chapter 20, 3.7: either alphabet, even mixed, means the same bytes', () => {
  const bytes = Buffer.from('fbeffffbefff', 'hex')
  for (const text of ['++//++//', '--__--__', '+-/_-+_/']) {
    assert.deepEqual(decodeEitherBase64(text), bytes, text)
  }
})

test('no two spellings of the same bytes but the padding', () => {
  const bytes = randomBytes(32)
  const text = bytes.toString('base64url')
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
    const changed = text.slice(0, -1) + last
    assert.equal(decodeBase64url(changed)?.equals(bytes) ?? false, changed === text, changed)
  }
})
