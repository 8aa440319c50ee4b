import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  softwareAuthenticator,
  toWebauthnJson,
} from '../../../test/kit/sca/software-authenticator.ts'
import { scaRelyingParty } from './relying-party.ts'
import {
  newScaChallenge,
  passkeyCreationOptions,
  passkeyRequestOptions,
  readScaAssertion,
  readScaRegistration,
  scaPaymentChallenge,
  verifyScaAssertion,
  verifyScaPasskey,
} from './sca-passkey.ts'

const ORIGIN = 'http://localhost:3000'
const relyingParty = scaRelyingParty([], 'SANDBOX')!
const authenticator = softwareAuthenticator({ origin: ORIGIN })
const challenge = newScaChallenge()
const registration = authenticator.register({ challenge })
const enrolled = await verifyScaPasskey({
  response: registration,
  challenge,
  origin: ORIGIN,
  relyingParty,
})
assert.ok(enrolled.ok)
const { passkey } = enrolled

const verify = (
  ceremony: Partial<Parameters<typeof authenticator.assert>[0]> = {},
  origin = ORIGIN,
) =>
  verifyScaAssertion({
    response: authenticator.assert({ challenge, ...ceremony }),
    passkey,
    challenge,
    origin,
    relyingParty,
  })

test('SCA-15 creation options are the WebAuthn JSON that the rule states', () => {
  const options = passkeyCreationOptions({
    challenge: Buffer.from([1, 2, 3]),
    relyingPartyId: 'localhost',
    relyingPartyName: 'Acme',
    user: { id: Buffer.from([255]), name: 'ann@example.com', displayName: 'Ann' },
  })
  assert.deepEqual(options, {
    challenge: 'AQID',
    rp: { id: 'localhost', name: 'Acme' },
    user: { id: '_w', name: 'ann@example.com', displayName: 'Ann' },
    pubKeyCredParams: [
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -8 },
      { type: 'public-key', alg: -257 },
    ],
    authenticatorSelection: { userVerification: 'required' },
    attestation: 'none',
  })
})

test('SCA-18 request options name the credential, the relying party and user verification', () => {
  assert.deepEqual(passkeyRequestOptions({ challenge: Buffer.from([1, 2, 3]), passkey }), {
    challenge: 'AQID',
    rpId: 'localhost',
    allowCredentials: [{ type: 'public-key', id: authenticator.credentialId }],
    userVerification: 'required',
  })
})

test('SCA-16 an enrolment is read from WebAuthn JSON and verified', () => {
  const { credentialId, clientDataJson, attestationObject } = registration
  assert.deepEqual(readScaRegistration(toWebauthnJson(registration)), {
    credentialId,
    clientDataJson,
    attestationObject,
  })
  assert.equal(passkey.credentialId, authenticator.credentialId)
  assert.equal(passkey.rpId, 'localhost')
})

test('SCA-16 an enrolment without user verification, or with another origin or challenge, is refused', async () => {
  const cases = [
    [{ isUserVerified: false }, ORIGIN, ['attestationObject']],
    [{}, 'http://localhost:3001', ['clientDataJson']],
    [{ origin: 'https://example.com' }, 'https://example.com', ['clientDataJson']],
    [{ rpId: 'example.com' }, ORIGIN, ['attestationObject']],
    [{ challenge: newScaChallenge() }, ORIGIN, ['challenge']],
  ] as const
  for (const [ceremony, origin, parts] of cases) {
    const response = authenticator.register({ challenge, counter: 0, ...ceremony })
    const verdict = await verifyScaPasskey({ response, challenge, origin, relyingParty })
    assert.ok(!verdict.ok)
    assert.deepEqual(
      verdict.problems.map(({ part }) => part),
      parts,
    )
  }
})

test('SCA-6 an assertion is read from WebAuthn JSON, clientDataJson tolerated as a spelling', () => {
  const assertion = authenticator.assert({ challenge })
  const json = toWebauthnJson(assertion)
  assert.deepEqual(readScaAssertion(json), assertion)
  const response = json['response'] as Record<string, unknown>
  const { clientDataJSON, ...rest } = response
  const respelled = { ...json, response: { ...rest, clientDataJson: clientDataJSON } }
  assert.deepEqual(readScaAssertion(respelled), assertion)
  const { rawId, ...withoutRawId } = json
  assert.deepEqual(readScaAssertion(withoutRawId), assertion)
  assert.deepEqual(readScaAssertion({ ...json, rawId: `${String(rawId)}=` }), assertion)
})

test('SCA-4 a malformed proof is refused', () => {
  const json = toWebauthnJson(authenticator.assert({ challenge }))
  const response = json['response'] as Record<string, unknown>
  const cases = [
    [null, 'null'],
    ['text', 'text'],
    [[], 'an array'],
    [{}, 'empty'],
    [{ ...json, type: 'password' }, 'another type'],
    [{ ...json, id: 7 }, 'a number for an id'],
    [{ ...json, id: '!' }, 'an id that is no base64url'],
    [{ ...json, rawId: 'AAAA' }, 'two ids'],
    [{ ...json, response: 'text' }, 'no response'],
    [{ ...json, response: { ...response, signature: undefined } }, 'no signature'],
    [{ ...json, response: { ...response, authenticatorData: 1 } }, 'no authenticator data'],
    [{ ...json, response: { ...response, clientDataJSON: undefined } }, 'no client data'],
  ] as const
  for (const [value, why] of cases) assert.equal(readScaAssertion(value), undefined, why)
  assert.equal(readScaRegistration(json), undefined, 'an assertion is no registration')
})

test('SCA-6 a right assertion passes; presence and verification of the user are both demanded', async () => {
  assert.deepEqual(await verify({ counter: 9 }), { ok: true, counter: 9, isUserVerified: true })
  const cases = [
    [await verify({ isUserVerified: false }), 'User verification is required'],
    [await verify({ isUserPresent: false }), 'User presence is required'],
    [await verify({ rpId: 'example.com' }), 'Passkey RP ID mismatch'],
    [await verify({ origin: 'http://localhost:3001' }), 'Passkey origin mismatch'],
    [await verify({}, 'http://localhost:3001'), 'Passkey origin mismatch'],
    [await verify({ challenge: newScaChallenge() }), 'Passkey challenge mismatch'],
  ] as const
  for (const [verdict, reason] of cases) assert.deepEqual(verdict, { ok: false, reason })
})

test('SCA-44 the challenge of a payment changes with every part of it', () => {
  const payment = {
    challengeId: 'ScaChallenge:1',
    quoteId: 'Quote:1',
    sendingAmount: '100',
    sendingCurrency: 'EUR',
    receivingAmount: '110',
    receivingCurrency: 'USD',
    payee: 'Ann',
  }
  const original = scaPaymentChallenge(payment)
  assert.equal(original.length, 32)
  assert.deepEqual(scaPaymentChallenge({ ...payment }), original)
  for (const part of Object.keys(payment) as (keyof typeof payment)[]) {
    const changed = scaPaymentChallenge({ ...payment, [part]: `${payment[part]}0` })
    assert.notDeepEqual(changed, original, part)
  }
  assert.notDeepEqual(newScaChallenge(), newScaChallenge())
})
