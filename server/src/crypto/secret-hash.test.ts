import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestSecret, newSecret, secretMatches } from './secret-hash.ts'

test('CORE-20 a secret holds 256 random bits in base64url, without a colon', () => {
  const secrets = Array.from({ length: 100 }, newSecret)
  assert.equal(new Set(secrets).size, 100)
  for (const secret of secrets) {
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
    assert.equal(Buffer.from(secret, 'base64url').length, 32)
  }
})

test('CORE-20 the digest is SHA-256 of the text (FIPS 180-4, "abc")', () => {
  assert.equal(
    digestSecret('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

test('CORE-20 only the secret itself matches its digest', () => {
  const secret = newSecret()
  const digest = digestSecret(secret)
  assert.equal(secretMatches(secret, digest), true)
  for (const wrong of [newSecret(), secret.slice(1), `${secret}=`, secret.toLowerCase(), '']) {
    assert.equal(secretMatches(wrong, digest), false, wrong)
  }
  assert.equal(secretMatches(secret, digest.subarray(1)), false, 'a damaged digest matches nothing')
  assert.equal(secretMatches('', Buffer.alloc(0)), false)
})
