import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyring } from '../../crypto/seal.ts'
import { verifyWebhook } from '../../../test/kit/outside/verify-webhook.ts'
import { newId } from '../../kernel/ids.ts'
import { signEvent } from './sign-event.ts'
import { newSealedKeyPair } from './webhook-key.ts'

const keyring = createKeyring(Buffer.alloc(32, 3).toString('base64'))
const platformId = newId('platform')
const first = newSealedKeyPair(keyring, platformId)
const second = newSealedKeyPair(keyring, platformId)

test('HOOK-23 after a rotation an older event is signed with the new key', () => {
  const toSign = { platformId, body: '{"a":1}' }
  signEvent(keyring, { ...toSign, sealedKey: first.privateKey })
  const signature = signEvent(keyring, { ...toSign, sealedKey: second.privateKey })
  assert.ok(verifyWebhook(second.publicKey, signature, toSign.body))
  assert.ok(!verifyWebhook(first.publicKey, signature, toSign.body))
})

test('HOOK-24 the signatures of many events do not mix', () => {
  const sealedKey = first.privateKey
  const events = Array.from({ length: 50 }, (_, n) => ({ body: `${n}` }))
  const sign = (event: (typeof events)[number]) =>
    signEvent(keyring, { platformId, sealedKey, ...event })
  events.forEach(sign)
  for (const event of events) assert.ok(verifyWebhook(first.publicKey, sign(event), event.body))
})
