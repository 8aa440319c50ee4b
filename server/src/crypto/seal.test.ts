import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createKeyring } from './keyring.ts'
import { UnsealError, seal, sealedHeader, unseal } from './seal.ts'

const PURPOSE = 'customer-identifier'
const keyring = createKeyring('2026a:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8')

/** Made with another implementation (HKDF and AES-GCM of Python's cryptography): pins the form. */
const VECTORS = [
  {
    plaintext: '123-45-6789',
    context: 'row-1',
    sealed:
      '01053230323661a0a1a2a3a4a5a6a7a8a9aaab32edef6f30da94c065aaccb8ec9af20d46024aa94cbec545ee5ab0',
  },
  {
    plaintext: '',
    context: '',
    sealed: '01053230323661a0a1a2a3a4a5a6a7a8a9aaab72ddfe80a08eea5c00e65fb1b0456988',
  },
]

test('CORE-90 values sealed by another implementation of the same form open', () => {
  for (const { plaintext, context, sealed } of VECTORS) {
    const opened = unseal(keyring, PURPOSE, Buffer.from(sealed, 'hex'), context)
    assert.equal(opened.toString('utf8'), plaintext)
  }
})

test('CORE-90 text and bytes come back as they were, whatever they hold', () => {
  for (const plaintext of ['', '123-45-6789', 'Zoë 日本 💶', randomBytes(100_000)]) {
    const opened = unseal(keyring, PURPOSE, seal(keyring, PURPOSE, plaintext, 'row'), 'row')
    assert.deepEqual(opened, Buffer.from(plaintext))
  }
})

test('CORE-90 the same value seals differently each time, and the key id stands beside it', () => {
  const first = seal(keyring, PURPOSE, 'same')
  const second = seal(keyring, PURPOSE, 'same')
  assert.notDeepEqual(first, second)
  assert.equal(first.toString('ascii', 2, 2 + 5), '2026a')
  assert.equal(first.length, 2 + '2026a'.length + 12 + 'same'.length + 16)
})

test('CORE-90 a sealed value with any one byte changed or cut off does not open', () => {
  const sealed = seal(keyring, PURPOSE, '123-45-6789', 'row-1')
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed)
    changed[index]! ^= 0x01
    assert.throws(() => unseal(keyring, PURPOSE, changed, 'row-1'), UnsealError, `byte ${index}`)
    const cut = sealed.subarray(0, index)
    assert.throws(() => unseal(keyring, PURPOSE, cut, 'row-1'), UnsealError, `cut at ${index}`)
  }
})

test('CORE-90 a sealed value does not open for another purpose, in another row, or without its row', () => {
  const sealed = seal(keyring, PURPOSE, 'secret', 'row-1')
  assert.throws(() => unseal(keyring, 'card-number', sealed, 'row-1'), UnsealError)
  assert.throws(() => unseal(keyring, PURPOSE, sealed, 'row-2'), UnsealError)
  assert.throws(() => unseal(keyring, PURPOSE, sealed), UnsealError)
})

const isUnder = (keyId: string, sealed: Buffer): boolean =>
  sealed.indexOf(sealedHeader(keyId)) === 0

test('CORE-90 after a rotation old values open, are known as old, and new ones use the new key', () => {
  const older = randomBytes(32).toString('base64url')
  const newer = randomBytes(32).toString('base64url')
  const before = createKeyring(older)
  const after = createKeyring(`2027:${newer},${older}`)
  const sealed = seal(before, PURPOSE, 'secret')

  assert.equal(unseal(after, PURPOSE, sealed).toString(), 'secret')
  assert.ok(isUnder(before.newestKeyId, sealed))
  assert.ok(!isUnder('2027', sealed))

  const resealed = seal(after, PURPOSE, unseal(after, PURPOSE, sealed))
  assert.ok(isUnder('2027', resealed))
  assert.equal(unseal(createKeyring(`2027:${newer}`), PURPOSE, resealed).toString(), 'secret')
})

test('CORE-90 a value whose key was taken out of MASTER_KEY names the missing key', () => {
  const sealed = seal(createKeyring(`gone:${randomBytes(32).toString('hex')}`), PURPOSE, 'secret')
  assert.throws(() => unseal(keyring, PURPOSE, sealed), { name: 'UnsealError', message: /"gone"/ })
})

test('CORE-90 the same key bytes under another id do not open a value: the id is part of it', () => {
  const bytes = randomBytes(32).toString('hex')
  const sealed = seal(createKeyring(`a:${bytes}`), PURPOSE, 'secret')
  const renamed = Buffer.from(sealed)
  renamed.write('b', 2, 'ascii')
  assert.throws(() => unseal(createKeyring(`b:${bytes}`), PURPOSE, renamed), UnsealError)
})
