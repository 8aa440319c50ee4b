import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createKeyring } from './keyring.ts'
import { openCursor, signCursor } from './page-token.ts'

const SCOPE = 'GET /quotes|p1'
const keyring = createKeyring('2026a:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8')

/** Made with another implementation; a bigint beyond 2^53 survives. */
const VECTOR = {
  values: ['0199', 9007199254740993n],
  token: 'RC_F2D6ryBWQ9OTlIQf4T1siMDE5OSIseyIkYmlnaW50IjoiOTAwNzE5OTI1NDc0MDk5MyJ9XQ',
}

test('CORE-50 a cursor equals the one that another implementation makes', () => {
  assert.equal(signCursor(keyring, SCOPE, VECTOR.values), VECTOR.token)
  assert.deepEqual(openCursor(keyring, SCOPE, VECTOR.token), VECTOR.values)
})

test('CORE-50 a cursor opens to its place, bigints included, and has only URL characters', () => {
  const values = { place: [{ amount: -5n }, null, 'Zoë', true, 1.5], newest: 0n }
  const token = signCursor(keyring, SCOPE, values)
  assert.match(token, /^[A-Za-z0-9_-]+$/)
  assert.deepEqual(openCursor(keyring, SCOPE, token), values)
})

test('CORE-50 a cursor of another list or filter does not open', () => {
  const token = signCursor(keyring, 'GET /quotes?status=PENDING', ['x'])
  assert.equal(openCursor(keyring, 'GET /quotes?status=EXPIRED', token), undefined)
  assert.equal(openCursor(keyring, '', token), undefined)
  const shifted = signCursor(keyring, 'list', '1')
  assert.equal(openCursor(keyring, 'list"', shifted), undefined, 'scope and payload do not blend')
})

test('CORE-50 a cursor with any one character changed, added or cut off does not open', () => {
  const token = signCursor(keyring, SCOPE, ['0199', 1n])
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'A' ? 'B' : 'A'
    const changed = token.slice(0, index) + other + token.slice(index + 1)
    assert.equal(openCursor(keyring, SCOPE, changed), undefined, `character ${index}`)
    assert.equal(openCursor(keyring, SCOPE, token.slice(0, index)), undefined, `cut at ${index}`)
  }
  for (const noise of [`${token}=`, `${token} `, ` ${token}`, `${token}.`, `${token}A`]) {
    assert.equal(openCursor(keyring, SCOPE, noise), undefined, JSON.stringify(noise))
  }
})

test('CORE-50 text that is no cursor does not open', () => {
  for (const text of ['', 'null', '💶', 'A'.repeat(22), 'A'.repeat(5_000), '[1]']) {
    assert.equal(openCursor(keyring, SCOPE, text), undefined)
  }
})

test('CORE-90 a cursor made before a rotation opens after it, one of a retired key does not', () => {
  const older = `a:${randomBytes(32).toString('hex')}`
  const newer = `b:${randomBytes(32).toString('hex')}`
  const token = signCursor(createKeyring(older), SCOPE, ['x'])
  assert.deepEqual(openCursor(createKeyring(`${newer},${older}`), SCOPE, token), ['x'])
  assert.equal(openCursor(createKeyring(newer), SCOPE, token), undefined)
})
