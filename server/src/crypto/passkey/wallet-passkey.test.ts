import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { byteChangesOf } from '../../../test/kit/random/byte-changes.ts'
import { softwareAuthenticator } from '../../../test/kit/sca/software-authenticator.ts'
import type {
  AuthenticatorAlgorithm,
  Ceremony,
  RegistrationCeremony,
} from '../../../test/kit/sca/software-authenticator.ts'
import type { Passkey } from './verify-registration.ts'
import { verifyWalletAssertion, verifyWalletPasskey } from './wallet-passkey.ts'

const ORIGIN = 'https://app.example.com'
const RP_ID = 'example.com'
const ALGORITHMS = { ES256: -7, EdDSA: -8, RS256: -257 } as const
const LOGIN_CHALLENGE = randomBytes(32).toString('hex')

const newAuthenticator = (algorithm: AuthenticatorAlgorithm = 'ES256') =>
  softwareAuthenticator({ algorithm, origin: ORIGIN, rpId: RP_ID })

async function register(
  ceremony: Partial<RegistrationCeremony> = {},
  given: Partial<{
    challenge: string
    configuredOrigins: readonly string[]
    attestation: Partial<Record<'credentialId' | 'clientDataJson' | 'attestationObject', string>>
  }> = {},
  authenticator = newAuthenticator(),
) {
  const challenge = ceremony.challenge ?? randomBytes(16)
  return verifyWalletPasskey({
    challenge: given.challenge ?? challenge.toString('base64url'),
    attestation: {
      ...authenticator.register({ challenge, ...ceremony }),
      ...given.attestation,
    },
    configuredOrigins: given.configuredOrigins ?? [],
  })
}

async function mustRegister(authenticator: ReturnType<typeof newAuthenticator>): Promise<Passkey> {
  const verdict = await register({}, {}, authenticator)
  assert.ok(verdict.ok, JSON.stringify(verdict))
  return verdict.passkey
}

for (const [algorithm, id] of Object.entries(ALGORITHMS)) {
  for (const attestation of ['none', 'packed'] as const) {
    test(`CRED-13 ${algorithm} with attestation ${attestation} registers and logs in`, async () => {
      const authenticator = newAuthenticator(algorithm as AuthenticatorAlgorithm)
      const verdict = await register({ attestation }, {}, authenticator)
      assert.ok(verdict.ok, JSON.stringify(verdict))
      const { credentialId, algorithm: found, rpId, counter } = verdict.passkey
      assert.deepEqual(
        { credentialId, found, rpId, counter },
        { credentialId: authenticator.credentialId, found: id, rpId: RP_ID, counter: 0 },
      )
      const assertion = authenticator.assert({ challenge: Buffer.from(LOGIN_CHALLENGE, 'utf8') })
      const login = await verifyWalletAssertion({
        response: assertion,
        passkey: verdict.passkey,
        challenge: LOGIN_CHALLENGE,
        configuredOrigins: [],
      })
      assert.deepEqual(login, { ok: true, counter: 1, isUserVerified: true })
    })
  }
}

test('CRED-13 user verification is not demanded, and the challenge’s bytes come back', async () => {
  const challenge = randomBytes(20)
  const verdict = await register({ challenge, isUserVerified: false })
  assert.ok(verdict.ok)
  assert.deepEqual(verdict.challenge, challenge)
})

test('CRED-13 padded values are read as unpadded ones', async () => {
  const authenticator = newAuthenticator()
  const challenge = randomBytes(16)
  const made = authenticator.register({ challenge })
  const padded = (text: string): string => text.padEnd(Math.ceil(text.length / 4) * 4, '=')
  const verdict = await verifyWalletPasskey({
    challenge: padded(challenge.toString('base64url')),
    attestation: {
      credentialId: padded(made.credentialId),
      clientDataJson: padded(made.clientDataJson),
      attestationObject: padded(made.attestationObject),
    },
    configuredOrigins: [],
  })
  assert.ok(verdict.ok)
  assert.equal(verdict.passkey.credentialId, authenticator.credentialId)
})

const other = randomBytes(16).toString('base64url')
const REFUSED: readonly [
  why: string,
  field: string,
  ceremony: Partial<RegistrationCeremony>,
  given?: Parameters<typeof register>[1],
][] = [
  ['a challenge of 15 bytes', 'challenge', { challenge: randomBytes(15) }],
  ['a challenge that is no base64url', 'challenge', {}, { challenge: 'a+/b'.repeat(8) }],
  ['another challenge', 'challenge', {}, { challenge: other }],
  ['a challenge that is no text', 'challenge', { clientData: { challenge: 7 } }],
  [
    'client data that is no JSON',
    'attestation.clientDataJson',
    {},
    { attestation: { clientDataJson: 'bm90IGpzb24' } },
  ],
  [
    'client data that is no base64url',
    'attestation.clientDataJson',
    {},
    { attestation: { clientDataJson: '{}' } },
  ],
  ['another type', 'attestation.clientDataJson', { clientData: { type: 'webauthn.get' } }],
  ['http', 'attestation.clientDataJson', { origin: 'http://app.example.com' }],
  ['no origin', 'attestation.clientDataJson', { clientData: { origin: undefined } }],
  [
    'an origin that is not configured',
    'attestation.clientDataJson',
    {},
    { configuredOrigins: ['https://other.example.com'] },
  ],
  [
    'a frame in a page of somebody else',
    'attestation.clientDataJson',
    { clientData: { crossOrigin: true, topOrigin: 'https://evil.example.org' } },
    { configuredOrigins: [ORIGIN] },
  ],
  [
    'an attestation object that does not decode',
    'attestation.attestationObject',
    {},
    { attestation: { attestationObject: 'AAAA' } },
  ],
  [
    'an attestation object that is no base64url',
    'attestation.attestationObject',
    {},
    { attestation: { attestationObject: '!' } },
  ],
  ['no user presence', 'attestation.attestationObject', { isUserPresent: false }],
  ['a foreign RP id', 'attestation.attestationObject', { rpId: 'example.org' }],
  ['a top-level domain for RP id', 'attestation.attestationObject', { rpId: 'com' }],
  [
    'another credential id',
    'attestation.credentialId',
    {},
    { attestation: { credentialId: other } },
  ],
  [
    'a credential id that is no base64url',
    'attestation.credentialId',
    {},
    { attestation: { credentialId: '?' } },
  ],
]

for (const [why, field, ceremony, given] of REFUSED) {
  test(`CRED-13 refused on ${field}: ${why}`, async () => {
    const verdict = await register(ceremony, given)
    assert.ok(!verdict.ok)
    assert.deepEqual(
      verdict.errors.map((error) => error.field),
      [field],
      JSON.stringify(verdict.errors),
    )
  })
}

test('CORE-30 several wrong parts are reported together', async () => {
  const verdict = await register(
    { isUserPresent: false, clientData: { type: 'x' } },
    { challenge: other, attestation: { credentialId: other } },
  )
  assert.ok(!verdict.ok)
  assert.deepEqual(verdict.errors.map(({ field }) => field).toSorted(), [
    'attestation.attestationObject',
    'attestation.clientDataJson',
    'attestation.credentialId',
    'challenge',
  ])
})

test('CRED-13 no changed byte under an attestation statement yields another credential', async () => {
  const challenge = randomBytes(16)
  const made = newAuthenticator().register({ challenge, attestation: 'packed' })
  const judge = (attestation: typeof made) =>
    verifyWalletPasskey({
      challenge: challenge.toString('base64url'),
      attestation,
      configuredOrigins: [],
    })
  const original = await judge(made)
  for (const part of ['attestationObject', 'clientDataJson'] as const) {
    await fc.assert(
      fc.asyncProperty(byteChangesOf(Buffer.from(made[part], 'base64url')), async (changed) => {
        const verdict = await judge({ ...made, [part]: changed.toString('base64url') })
        // A looser spelling of the container may pass; what was attested may not change by a bit.
        if (verdict.ok) assert.deepEqual(verdict, original)
        assert.ok(!verdict.ok || part === 'attestationObject')
      }),
      { numRuns: 400 },
    )
  }
})

test('CRED-13 random bytes get a verdict of ours, and nothing is thrown', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const text = Buffer.from(bytes).toString('base64url')
      const verdict = await register({}, { attestation: { attestationObject: text } })
      assert.equal(verdict.ok, false)
    }),
  )
})

type LoginChange = Readonly<{
  ceremony?: Partial<Ceremony>
  response?: Partial<
    Record<'credentialId' | 'clientDataJson' | 'authenticatorData' | 'signature', string>
  >
  stored?: Partial<Passkey>
  configuredOrigins?: readonly string[]
}>

const authenticator = newAuthenticator()
const passkey = await mustRegister(authenticator)

async function logIn(change: LoginChange = {}) {
  const assertion = authenticator.assert({
    challenge: Buffer.from(LOGIN_CHALLENGE, 'utf8'),
    counter: 5,
    ...change.ceremony,
  })
  return verifyWalletAssertion({
    response: { ...assertion, ...change.response },
    passkey: { ...passkey, counter: 4, ...change.stored },
    challenge: LOGIN_CHALLENGE,
    configuredOrigins: change.configuredOrigins ?? [],
  })
}

const LOGIN_REFUSED: readonly [why: string, reason: string, change: LoginChange][] = [
  ['another credential', 'Passkey credential id mismatch', { response: { credentialId: other } }],
  ['no base64url', 'Passkey credential id mismatch', { response: { credentialId: '!' } }],
  [
    'the type of a registration',
    'Passkey challenge mismatch',
    { ceremony: { clientData: { type: 'webauthn.create' } } },
  ],
  [
    'another challenge',
    'Passkey challenge mismatch',
    { ceremony: { challenge: Buffer.from('0'.repeat(64)) } },
  ],
  [
    'the bytes that the hex stands for',
    'Passkey challenge mismatch',
    { ceremony: { challenge: Buffer.from(LOGIN_CHALLENGE, 'hex') } },
  ],
  ['no client data', 'Passkey challenge mismatch', { response: { clientDataJson: 'bnVsbA' } }],
  [
    'a page outside the relying party',
    'Passkey origin mismatch',
    { ceremony: { origin: 'https://example.org' } },
  ],
  [
    'a page that is not configured',
    'Passkey origin mismatch',
    { configuredOrigins: ['https://other.example.com'] },
  ],
  [
    'a frame in a page of somebody else',
    'Passkey origin mismatch',
    { ceremony: { clientData: { crossOrigin: true, topOrigin: 'https://evil.example.org' } } },
  ],
  ['a sibling RP id', 'Passkey RP ID mismatch', { ceremony: { rpId: 'app.example.com' } }],
  ['too little data', 'Passkey RP ID mismatch', { response: { authenticatorData: 'AAAA' } }],
  ['nobody present', 'User presence is required', { ceremony: { isUserPresent: false } }],
  ['no signature', 'Passkey signature is invalid', { response: { signature: '' } }],
  ['no base64url', 'Passkey signature is invalid', { response: { signature: '+' } }],
  [
    'the sandbox literal',
    'Passkey signature is invalid',
    { response: { signature: 'sandbox-valid-passkey-signature' } },
  ],
  ['the same counter', 'Passkey signature counter did not increase', { ceremony: { counter: 4 } }],
  ['a lower counter', 'Passkey signature counter did not increase', { ceremony: { counter: 3 } }],
  [
    'a counter that fell to zero',
    'Passkey signature counter did not increase',
    { ceremony: { counter: 0 } },
  ],
]

for (const [why, reason, change] of LOGIN_REFUSED) {
  test(`VRFY-9 ${reason}: ${why}`, async () => {
    assert.deepEqual(await logIn(change), { ok: false, reason })
  })
}

test('VRFY-9 a right assertion gives the counter to store; user verification is not demanded', async () => {
  assert.deepEqual(await logIn(), { ok: true, counter: 5, isUserVerified: true })
  assert.deepEqual(await logIn({ ceremony: { isUserVerified: false } }), {
    ok: true,
    counter: 5,
    isUserVerified: false,
  })
  const counting = { ceremony: { counter: 0xffff_ffff } }
  assert.deepEqual(await logIn(counting), {
    ok: true,
    counter: 0xffff_ffff,
    isUserVerified: true,
  })
})

test('VRFY-9 an authenticator that never counts is not held to a counter', async () => {
  const change = { ceremony: { counter: 0 }, stored: { counter: 0 } }
  assert.deepEqual(await logIn(change), { ok: true, counter: 0, isUserVerified: true })
})

test('VRFY-9 the first failing check gives the reason', async () => {
  const everything: LoginChange = {
    ceremony: {
      challenge: Buffer.from('x'),
      origin: 'https://example.org',
      rpId: 'example.org',
      isUserPresent: false,
      counter: 1,
    },
    response: { signature: 'AAAA' },
  }
  assert.deepEqual(await logIn(everything), { ok: false, reason: 'Passkey challenge mismatch' })
  const signatureAndCounter = { ceremony: { counter: 1 }, response: { signature: 'AAAA' } }
  assert.deepEqual(await logIn(signatureAndCounter), {
    ok: false,
    reason: 'Passkey signature is invalid',
  })
})

test('VRFY-9 a frame in a page of the same origin is accepted', async () => {
  const clientData = { crossOrigin: true, topOrigin: 'https://www.example.com' }
  assert.deepEqual(await logIn({ ceremony: { clientData } }), {
    ok: true,
    counter: 5,
    isUserVerified: true,
  })
})

test('VRFY-9 the signature of another credential’s key is refused', async () => {
  const stranger = newAuthenticator().assert({
    challenge: Buffer.from(LOGIN_CHALLENGE),
    counter: 5,
  })
  assert.deepEqual(await logIn({ response: { signature: stranger.signature } }), {
    ok: false,
    reason: 'Passkey signature is invalid',
  })
})

for (const algorithm of Object.keys(ALGORITHMS) as AuthenticatorAlgorithm[]) {
  test(`VRFY-9 any changed byte of an ${algorithm} assertion is refused, none throws`, async () => {
    const device = newAuthenticator(algorithm)
    const stored = await mustRegister(device)
    const assertion = device.assert({ challenge: Buffer.from(LOGIN_CHALLENGE) })
    for (const part of [
      'credentialId',
      'clientDataJson',
      'authenticatorData',
      'signature',
    ] as const) {
      await fc.assert(
        fc.asyncProperty(
          byteChangesOf(Buffer.from(assertion[part], 'base64url')),
          async (changed) => {
            const verdict = await verifyWalletAssertion({
              response: { ...assertion, [part]: changed.toString('base64url') },
              passkey: stored,
              challenge: LOGIN_CHALLENGE,
              configuredOrigins: [],
            })
            assert.equal(verdict.ok, false)
          },
        ),
        { numRuns: 150 },
      )
    }
  })
}
