import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { blindIndex, blindIndexes } from './blind-index.ts'
import { createKeyring } from './keyring.ts'

const PURPOSE = 'customer-identifier'
const keyring = createKeyring('2026a:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8')

test('CORE-90 a blind index equals the one that another implementation makes', () => {
  assert.equal(
    blindIndex(keyring, PURPOSE, '123456789').toString('hex'),
    'fbc6bc3ea3b34abf76928ba636f7839210aa659423a0b9ea7a667d37bdbf38ab',
  )
})

test('CORE-90 equal texts have equal indexes, other texts, purposes and keys have others', () => {
  const otherKeyring = createKeyring(randomBytes(32).toString('hex'))
  const indexes = [
    blindIndex(keyring, PURPOSE, '123456789'),
    blindIndex(keyring, PURPOSE, '123456780'),
    blindIndex(keyring, 'account-number', '123456789'),
    blindIndex(otherKeyring, PURPOSE, '123456789'),
  ].map((index) => index.toString('hex'))
  assert.equal(new Set(indexes).size, 4)
  assert.equal(blindIndex(keyring, PURPOSE, '123456789').toString('hex'), indexes[0])
})

test('CORE-90 after a rotation a row is found by the index of the key it was stored with', () => {
  const older = `a:${randomBytes(32).toString('hex')}`
  const newer = `b:${randomBytes(32).toString('hex')}`
  const stored = blindIndex(createKeyring(older), PURPOSE, '123456789')
  const rotated = createKeyring(`${newer},${older}`)

  const wanted = blindIndexes(rotated, PURPOSE, '123456789')
  assert.deepEqual(wanted, [blindIndex(rotated, PURPOSE, '123456789'), stored])
})
