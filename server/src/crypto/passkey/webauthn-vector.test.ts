import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { byteChangesOf } from '../../../test/kit/random/byte-changes.ts'
import { registrationPolicy } from './relying-party.ts'
import { verifyAssertion } from './verify-assertion.ts'
import { verifyRegistration } from './verify-registration.ts'

/** Web Authentication Level 3, section 16, "ES256 Credential with No Attestation"; hex, relying party example.org. */
const VECTOR = {
  credentialId: 'f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4',
  registration: {
    challenge: '00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130',
    clientDataJson:
      '7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20426b5165446a646354427258426941774a544c453551227d',
    attestationObject:
      'a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220',
  },
  authentication: {
    challenge: '39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408',
    authenticatorData: 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000',
    clientDataJson:
      '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d',
    signature:
      '3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87',
  },
} as const

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const base64url = (hex: string): string => bytes(hex).toString('base64url')

const registered = await verifyRegistration({
  response: {
    credentialId: base64url(VECTOR.credentialId),
    clientDataJson: base64url(VECTOR.registration.clientDataJson),
    attestationObject: base64url(VECTOR.registration.attestationObject),
  },
  challenge: bytes(VECTOR.registration.challenge),
  policy: registrationPolicy([]),
  requireUserVerification: false,
})
assert.ok(registered.ok)
const { passkey } = registered

const check = {
  response: {
    credentialId: base64url(VECTOR.credentialId),
    clientDataJson: base64url(VECTOR.authentication.clientDataJson),
    authenticatorData: base64url(VECTOR.authentication.authenticatorData),
    signature: base64url(VECTOR.authentication.signature),
  },
  passkey,
  challenge: bytes(VECTOR.authentication.challenge),
  accepts: (origin: string) => origin === 'https://example.org',
  requireUserVerification: false,
}

test('CRED-13 the published registration gives its credential', () => {
  assert.equal(passkey.credentialId, base64url(VECTOR.credentialId))
  assert.equal(passkey.rpId, 'example.org')
  assert.equal(passkey.algorithm, -7)
  assert.equal(passkey.counter, 0)
})

test('VRFY-9 the published assertion verifies; its authenticator counts nothing', async () => {
  assert.deepEqual(await verifyAssertion(check), { ok: true, counter: 0, isUserVerified: false })
})

test('SCA-6 the published assertion states no user verification', async () => {
  assert.deepEqual(await verifyAssertion({ ...check, requireUserVerification: true }), {
    ok: false,
    reason: 'User verification is required',
  })
})

for (const part of ['clientDataJson', 'authenticatorData', 'signature'] as const) {
  test(`VRFY-9 any changed byte of the published ${part} is refused`, async () => {
    await fc.assert(
      fc.asyncProperty(byteChangesOf(bytes(VECTOR.authentication[part])), async (changed) => {
        const response = { ...check.response, [part]: changed.toString('base64url') }
        assert.equal((await verifyAssertion({ ...check, response })).ok, false)
      }),
      { numRuns: 400 },
    )
  })
}

test('VRFY-9 any changed byte of the key’s coordinates refuses the published assertion', async () => {
  const [X_AT, Y_AT] = [10, 45]
  const x = passkey.publicKey.subarray(X_AT, X_AT + 32)
  const y = passkey.publicKey.subarray(Y_AT, Y_AT + 32)
  await fc.assert(
    fc.asyncProperty(byteChangesOf(Buffer.concat([x, y])), async (changed) => {
      const publicKey = Buffer.from(passkey.publicKey)
      changed.copy(publicKey, X_AT, 0, 32)
      changed.copy(publicKey, Y_AT, 32)
      const verdict = await verifyAssertion({ ...check, passkey: { ...passkey, publicKey } })
      assert.deepEqual(verdict, { ok: false, reason: 'Passkey signature is invalid' })
    }),
    { numRuns: 300 },
  )
})
