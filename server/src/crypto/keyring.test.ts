import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { createKeyring, parseMasterKeys } from './keyring.ts'

const older = randomBytes(32)
const newer = randomBytes(32)

test('CORE-90 the first key of MASTER_KEY is the newest, the others stay findable', () => {
  const keyring = createKeyring(`b:${newer.toString('base64url')},a:${older.toString('base64url')}`)
  assert.equal(keyring.newestKeyId, 'b')
  assert.deepEqual(keyring.keyIds, ['b', 'a'])
  assert.notEqual(keyring.findKey({ keyId: 'a', label: 'x' }), undefined)
  assert.equal(keyring.findKey({ keyId: 'c', label: 'x' }), undefined)
})

test('CORE-90 every label and every master key gives another key, the same one each time', () => {
  const keyring = createKeyring(`b:${newer.toString('hex')},a:${older.toString('hex')}`)
  const again = createKeyring(`b:${newer.toString('base64')}`)
  const bytesOf = (ring: typeof keyring, keyId: string, label: string) =>
    ring.findKey({ keyId, label })?.export().toString('hex')
  const keys = [bytesOf(keyring, 'a', 'x'), bytesOf(keyring, 'a', 'y'), bytesOf(keyring, 'b', 'x')]
  assert.equal(new Set(keys).size, 3)
  assert.equal(bytesOf(again, 'b', 'x'), keys[2], 'hex and base64 spell the same key')
  assert.ok(!keys.includes(newer.toString('hex')), 'the master key itself encrypts nothing')
})

test('CORE-91 a keyring shows no key when it is inspected or turned to JSON', () => {
  const keyring = createKeyring(`b:${newer.toString('hex')}`)
  keyring.findKey({ keyId: 'b', label: 'x' })
  const shown = inspect(keyring, { depth: 9, showHidden: true }) + JSON.stringify(keyring)
  assert.ok(!shown.includes(newer.toString('hex')))
  assert.ok(!shown.includes(newer.toString('base64')))
})

test('CORE-90 a MASTER_KEY of another form makes no keyring, and the error does not repeat it', () => {
  assert.throws(
    () => createKeyring('hunter2hunter2'),
    (error) => error instanceof Error && !error.message.includes('hunter2'),
  )
})

const hex = newer.toString('hex')
const base64 = newer.toString('base64')
const base64url = newer.toString('base64url')

test('CORE-90 the forms of MASTER_KEY', () => {
  const accepted = [
    [hex, 1, 'hex'],
    [hex.toUpperCase(), 1, 'hex in capitals'],
    [base64, 1, 'base64 with padding'],
    [base64url, 1, 'base64url'],
    [`2026-a_B:${base64}`, 1, 'named'],
    [`b:${base64url},a:${older.toString('hex')}`, 2, 'two named keys'],
    [` b:${base64url} , ${older.toString('hex')} `, 2, 'blanks around, one key without a name'],
  ] as const
  for (const [text, count, why] of accepted) {
    const keys = parseMasterKeys(text)
    assert.equal(keys?.length, count, why)
    assert.deepEqual(keys[0]?.bytes, newer, why)
  }
  const refused = [
    ['', 'empty'],
    ['change-me', 'a placeholder'],
    [hex.slice(2), '31 bytes in hex'],
    [`${hex}00`, '33 bytes in hex'],
    [base64url.slice(2), 'too short for base64'],
    [`:${hex}`, 'an empty name'],
    [`a b:${hex}`, 'a blank in the name'],
    [`${'a'.repeat(33)}:${hex}`, 'a name too long'],
    [`a:${hex},a:${older.toString('hex')}`, 'a name twice'],
    [`${hex},${base64}`, 'the same key twice, in two spellings'],
    [`a:${hex},`, 'a comma too many'],
  ] as const
  for (const [text, why] of refused) assert.equal(parseMasterKeys(text), undefined, why)
})

test('CORE-90 a key without a name is named after its digest, wherever it stands', () => {
  const alone = parseMasterKeys('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8')
  assert.equal(alone?.[0]?.id, '46621a9a0caf')
  const second = parseMasterKeys(`b:${hex},AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=`)
  assert.equal(second?.[1]?.id, '46621a9a0caf')
})
