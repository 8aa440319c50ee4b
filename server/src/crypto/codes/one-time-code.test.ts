import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeMatches, digestCode, newNumericCode } from './one-time-code.ts'
import { createKeyring } from '../seal.ts'

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64')
const keyring = createKeyring(key(1))

test('a code has the requested number of digits, leading zeros included', () => {
  const codes = Array.from({ length: 300 }, () => newNumericCode(6))
  for (const code of codes) assert.match(code, /^\d{6}$/)
  assert.ok(new Set(codes).size > 290, 'they differ')
  assert.ok(codes.some((code) => code.startsWith('0')))
})

test('CONT-2 a digest matches only its code in its context', () => {
  const digest = digestCode(keyring, '123456', 'a')
  assert.ok(codeMatches(keyring, '123456', { context: 'a', digest }))
  assert.ok(!codeMatches(keyring, '123457', { context: 'a', digest }))
  assert.ok(!codeMatches(keyring, '123456', { context: 'b', digest }), 'bound to what it is for')
  const stranger = createKeyring(key(2))
  assert.ok(!codeMatches(stranger, '123456', { context: 'a', digest }), 'keyed')
})

test('CORE-90 a code that was sent before a key rotation is still accepted', () => {
  const digest = digestCode(createKeyring(`old:${key(1)}`), '123456', 'a')
  const rotated = createKeyring(`new:${key(2)},old:${key(1)}`)
  assert.ok(codeMatches(rotated, '123456', { context: 'a', digest }))
})
