import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, createVerify } from 'node:crypto'
import { test } from 'node:test'
import { newWebhookKeyPair, signWebhook } from './webhook-signature.ts'
import { verifyWebhook } from '../../test/kit/outside/verify-webhook.ts'

const BODY = '{"id":"Webhook:0199","type":"TEST","timestamp":"2026-01-01T00:00:00.000Z","data":{}}'

test('HOOK-20 the header is {"v":"1","s":…} with padded base64 that the receiver’s own check accepts', () => {
  const { privateKeyPem, publicKeyPem } = newWebhookKeyPair()
  const header = signWebhook(createPrivateKey(privateKeyPem), BODY)
  assert.match(header, /^\{"v":"1","s":"[A-Za-z0-9+/]+={0,2}"\}$/)
  const signature = Buffer.from(JSON.parse(header).s, 'base64')
  assert.equal(signature[0], 0x30, 'DER, not the bare pair of numbers')
  assert.equal(createVerify('SHA256').update(BODY).verify(publicKeyPem, signature), true)
})

test('HOOK-20 text and bytes are signed alike, with a key object or a PEM', () => {
  const { privateKeyPem, publicKeyPem } = newWebhookKeyPair()
  const body = '{"name":"Zoë 💶"}'
  for (const key of [privateKeyPem, createPrivateKey(privateKeyPem)]) {
    assert.equal(verifyWebhook(publicKeyPem, signWebhook(key, body), Buffer.from(body)), true)
    assert.equal(verifyWebhook(publicKeyPem, signWebhook(key, Buffer.from(body)), body), true)
  }
})

test('HOOK-21 any changed byte of the body fails', () => {
  const { privateKeyPem, publicKeyPem } = newWebhookKeyPair()
  const header = signWebhook(privateKeyPem, BODY)
  for (let index = 0; index < BODY.length; index += 1) {
    const changed = Buffer.from(BODY)
    changed[index]! ^= 0x01
    assert.equal(verifyWebhook(publicKeyPem, header, changed), false, `byte ${index}`)
  }
  assert.equal(verifyWebhook(publicKeyPem, header, `${BODY}\n`), false)
})

test('HOOK-21 another platform’s key fails', () => {
  const ours = newWebhookKeyPair()
  const theirs = newWebhookKeyPair()
  assert.notEqual(ours.publicKeyPem, theirs.publicKeyPem)
  assert.equal(
    verifyWebhook(theirs.publicKeyPem, signWebhook(ours.privateKeyPem, BODY), BODY),
    false,
  )
})

test('HOOK-22 a key pair is P-256, the private key PKCS#8, the public key SPKI, both PEM', () => {
  const { privateKeyPem, publicKeyPem } = newWebhookKeyPair()
  assert.match(privateKeyPem, /^-----BEGIN PRIVATE KEY-----\n/)
  assert.match(publicKeyPem, /^-----BEGIN PUBLIC KEY-----\n/)
  const derived = createPublicKey(privateKeyPem)
  assert.equal(derived.asymmetricKeyDetails?.namedCurve, 'prime256v1')
  assert.equal(derived.export({ type: 'spki', format: 'pem' }), publicKeyPem)
})
