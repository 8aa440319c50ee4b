import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decryptCredentialBundle } from '@turnkey/crypto'
import { characterChangesOf } from '../../../../test/kit/random/byte-changes.ts'
import { newDeviceKey, openSessionKey, stamp } from '../../../../test/kit/wallets/client.ts'
import {
  CLIENT,
  ENCRYPTED_SESSION_SIGNING_KEY,
  SESSION_SCALAR,
  TEK,
} from '../../../../test/kit/wallets/vectors.ts'
import { issueSessionKey, parseClientPublicKey } from './session-key.ts'
import { parseStamp, verifyStamp } from '../stamp.ts'

test('CHAL-3 the encoding of clientPublicKey chooses the key model', () => {
  const { compressed, uncompressed } = TEK.point
  for (const text of [compressed, compressed.toUpperCase()]) {
    assert.deepEqual(parseClientPublicKey(text), { model: 'CLIENT_HELD', point: TEK.point })
  }
  for (const text of [uncompressed, uncompressed.toUpperCase()]) {
    assert.deepEqual(parseClientPublicKey(text), { model: 'SEALED', point: TEK.point })
  }
  for (const text of ['', '02', `04${'00'.repeat(64)}`, `02${'ff'.repeat(32)}`]) {
    assert.equal(parseClientPublicKey(text), undefined, text)
  }
})

test('VRFY-11 a client-held key is the session’s, and nothing is sealed', async () => {
  const client = parseClientPublicKey(TEK.point.compressed)!
  assert.deepEqual(await issueSessionKey(client), { publicKey: TEK.point })
})

test('VRFY-12 the sealed key opens at the public client and stamps as the session’s key', async () => {
  const keys = new Set<string>()
  for (let round = 0; round < 30; round += 1) {
    const device = newDeviceKey()
    const issued = await issueSessionKey(parseClientPublicKey(device.publicKeyUncompressed)!)
    const sealed = issued.encryptedSessionSigningKey ?? ''
    assert.match(sealed, /^[1-9A-HJ-NP-Za-km-z]{115,116}$/)
    const session = openSessionKey({ encryptedSessionSigningKey: sealed, device })
    assert.equal(session.publicKey, issued.publicKey.compressed)
    const parsed = parseStamp(await stamp(session, 'payload'))!
    assert.deepEqual(parsed.publicKey, issued.publicKey)
    assert.equal(verifyStamp(parsed, 'payload'), true)
    keys.add(session.privateKey)
  }
  assert.equal(keys.size, 30)
})

test('VRFY-12 the published sealed key is of the form that ours has', async () => {
  const client = parseClientPublicKey(CLIENT.point.uncompressed)!
  const privateKey = CLIENT.scalar.toString('hex')
  assert.equal(decryptCredentialBundle(ENCRYPTED_SESSION_SIGNING_KEY, privateKey), SESSION_SCALAR)
  const { encryptedSessionSigningKey = '' } = await issueSessionKey(client)
  assert.match(decryptCredentialBundle(encryptedSessionSigningKey, privateKey), /^[0-9a-f]{64}$/)
})

test('VRFY-12 any changed character of a sealed key is refused by the client', async () => {
  const device = newDeviceKey()
  const client = parseClientPublicKey(device.publicKeyUncompressed)!
  const { encryptedSessionSigningKey = '' } = await issueSessionKey(client)
  fc.assert(
    fc.property(characterChangesOf(encryptedSessionSigningKey), (changed) => {
      assert.throws(() => openSessionKey({ encryptedSessionSigningKey: changed, device }))
    }),
  )
})
