import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { oidcNonce } from '../../../crypto/oidc/judge-oidc-token.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Answer,
  type Body,
} from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { newOidcToken } from '../../../../test/kit/outside/oidc-tokens.ts'
import { softwareAuthenticator } from '../../../../test/kit/sca/software-authenticator.ts'
import { newDeviceKey, sealOtp, stamp } from '../../../../test/kit/wallets/client.ts'
import {
  advance,
  listSessions,
  newWallet,
  sealCode,
  signedBy,
  signedHeaders,
  type TestWallet,
} from '../../../../test/kit/wallets/wallets.ts'

const kit = await startOwnKit()

const reasonOf = (answer: Answer): unknown => expectError(answer, 401, 'UNAUTHORIZED')['reason']

const begin = (wallet: TestWallet, body?: object, id: unknown = wallet.emailCredentialId) =>
  wallet.api.post(`/auth/credentials/${id}/challenge`, body)

const verifying =
  (wallet: TestWallet, body: object, id: unknown = wallet.emailCredentialId) =>
  (headers: Record<string, string> = {}) =>
    wallet.api.post(`/auth/credentials/${id}/verify`, body, { headers })

const byCode = (wallet: TestWallet, encryptedOtpBundle: string) =>
  verifying(wallet, { type: 'EMAIL_OTP', encryptedOtpBundle })

describe('challenges', () => {
  test('CHAL-1 CHAL-2 each call makes a new target key, under a signer that all platforms share', async () => {
    const wallet = await newWallet(kit)
    const other = await newWallet(kit)
    assert.equal(wallet.signerPublicKey, other.signerPublicKey)
    const neighbour = await kit.neighbour()
    const { clientId, clientSecret } = wallet.platform
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const response = await fetch(`${neighbour}/auth/wallet-signer`, {
      headers: { authorization: `Basic ${basic}` },
    })
    assert.deepEqual(await response.json(), { publicKey: wallet.signerPublicKey })
    const targets = new Set<unknown>()
    for (let n = 0; n < 2; n += 1) {
      const bundle = text(
        expectStatus(await begin(wallet, { any: 1 }), 200).otpEncryptionTargetBundle,
      )
      const { data, enclaveQuorumPublic } = JSON.parse(bundle) as Record<string, string>
      assert.equal(enclaveQuorumPublic, wallet.signerPublicKey)
      const inner = JSON.parse(Buffer.from(data ?? '', 'hex').toString()) as Body
      targets.add(inner['targetPublic'])
    }
    assert.equal(targets.size, 2)
  })

  test('CHAL-1 ERR-2 the body of an OTP challenge is ignored whatever it holds', async () => {
    const bodies = [
      ...['[]', '"text"', '5', 'null', 'true', '{"clientPublicKey":5}'],
      ...[
        '{"clientPublicKey":"0400"}',
        '{"a":{"b":null},"c":"\\u0000"}',
        '{"clientPublicKey":null}',
      ],
    ]
    for (const body of bodies) {
      const wallet = await newWallet(kit)
      const path = `/auth/credentials/${wallet.emailCredentialId}/challenge` as const
      const headers = { 'content-type': 'application/json' }
      const answer = await wallet.api.send('POST', path, { headers, body })
      assert.ok(expectStatus(answer, 200).otpEncryptionTargetBundle, body)
      assert.equal(answer.headers.get('ignored-fields'), null)
      const broken = await wallet.api.send('POST', path, { headers, body: `${body}}` })
      expectError(broken, 400, 'INVALID_REQUEST_FORMAT')
    }
    const { wallet, id } = await withPasskey()
    for (const body of ['[]', '"text"', 'null']) {
      const path = `/auth/credentials/${id}/challenge` as const
      const headers = { 'content-type': 'application/json' }
      expectFields(await wallet.api.send('POST', path, { headers, body }), [''])
    }
  })

  test('CHAL-6 scenario 17: the sixth code within 300 s is refused until the first is 300 s old', async () => {
    const wallet = await newWallet(kit)
    const answers = await Promise.all(Array.from({ length: 6 }, () => begin(wallet)))
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
    const late = await begin(wallet)
    expectError(late, 429, 'RATE_LIMITED')
    const seconds = Number(late.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 300)
    await advance(wallet.api, seconds)
    expectStatus(await begin(wallet), 200)
  })

  test('CHAL-8 a code is stored only as a keyed hash, its key sealed', async () => {
    const wallet = await newWallet(kit)
    expectStatus(await begin(wallet), 200)
    const rows = await kit.florin.deps.db.read.many<Record<string, unknown>>(
      sql`select encode(code_digest, 'escape') as digest from wallet_otps`,
    )
    assert.ok(rows.every(({ digest }) => !String(digest).includes('000000')))
  })

  test('CHAL-3 CHAL-4 CHAL-5 a passkey challenge needs a key on the curve; OAUTH has no challenge', async () => {
    const { wallet, id } = await withPasskey()
    const withCode = await newWallet(kit)
    for (const none of [{}, { clientPublicKey: null }]) {
      const [missing] = expectFields(await begin(wallet, none, id), ['clientPublicKey'])
      assert.ok(missing?.['constraint']?.['pattern'])
      expectStatus(await begin(withCode, none), 200)
    }
    const offCurve = `02${'ff'.repeat(32)}`
    const [error] = expectFields(await begin(wallet, { clientPublicKey: offCurve }, id), [
      'clientPublicKey',
    ])
    assert.ok(error?.['constraint']?.['pattern'])
    const clientPublicKey = newDeviceKey().publicKey
    const first = expectStatus(await begin(wallet, { clientPublicKey }, id), 200)
    const second = expectStatus(await begin(wallet, { clientPublicKey }, id), 200)
    assert.notEqual(first.challenge, second.challenge)
    const oauth = await withOauth()
    expectError(await begin(oauth.wallet, {}, oauth.id), 400, 'INVALID_INPUT')
  })
})

describe('codes', () => {
  test('VRFY-2 VRFY-3 scenario 2: wrong codes are counted, the fifth voids the OTP', async () => {
    const wallet = await newWallet(kit)
    const device = newDeviceKey()
    expectFields(await byCode(wallet, '{}')(), ['encryptedOtpBundle'])
    const bundle = text(expectStatus(await begin(wallet), 200).otpEncryptionTargetBundle)
    const { signerPublicKey } = wallet
    const sealed = (code: string) =>
      sealOtp({ code, targetBundle: bundle, publicKey: device.publicKey, signerPublicKey })
    for (let n = 0; n < 5; n += 1) {
      assert.equal(reasonOf(await byCode(wallet, await sealed('111111'))()), 'Invalid OTP code')
    }
    const right = await byCode(wallet, await sealed('000000'))()
    assert.equal(reasonOf(right), 'No pending OTP for this credential')
    const again = await sealCode(wallet, { device })
    expectStatus(await byCode(wallet, again)(), 202)
  })

  test('VRFY-2 a bundle for another code’s key does not open', async () => {
    const wallet = await newWallet(kit)
    const device = newDeviceKey()
    const old = await sealCode(wallet, { device })
    expectStatus(await begin(wallet), 200)
    assert.equal(reasonOf(await byCode(wallet, old)()), 'OTP bundle could not be decrypted')
  })

  test('VRFY-2 scenario 3: a code is valid for 300 s, and so is its signature request', async () => {
    const wallet = await newWallet(kit)
    const device = newDeviceKey()
    const late = await sealCode(wallet, { device })
    await advance(wallet.api, 300)
    assert.equal(reasonOf(await byCode(wallet, late)()), 'No pending OTP for this credential')
    const call = byCode(wallet, await sealCode(wallet, { device }))
    const challenge = expectStatus(await call(), 202)
    await advance(wallet.api, 300)
    const refused = await call(await signedBy(device, challenge))
    assert.equal(reasonOf(refused), 'Request-Id is unknown, expired or already used')
  })

  test('VRFY-4 VRFY-5 VRFY-16 the identical first call is repeated; only the sealed key signs; one session', async () => {
    const wallet = await newWallet(kit)
    const device = newDeviceKey()
    const call = byCode(wallet, await sealCode(wallet, { device }))
    const racing = await Promise.all([call(), call(), call()])
    const challenges = racing.map((answer) => expectStatus(answer, 202))
    assert.equal(new Set(challenges.map(({ requestId }) => requestId)).size, 1)
    const [challenge] = challenges
    assert.ok(challenge)
    const { payloadToSign, requestId } = challenge
    const wrong = { stamp: await stamp(newDeviceKey(), payloadToSign), requestId }
    expectError(await call(signedHeaders(wrong)), 401, 'WALLET_SIGNATURE_INVALID')
    const headers = await signedBy(device, challenge)
    const answers = await Promise.all([call(headers), call(headers), call(headers)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401])
    assert.equal((await listSessions(wallet.api, wallet.accountId)).length, 1)
  })

  test('VRFY-1 the body must have the type of the credential and the fields of that type', async () => {
    const wallet = await newWallet(kit)
    expectFields(await verifying(wallet, { type: 'EMAIL_OTP' })(), ['encryptedOtpBundle'])
    const oauth = { type: 'SMS_OTP', encryptedOtpBundle: '{}' }
    expectFields(await verifying(wallet, oauth)(), ['type'])
  })

  test('VRFY-13 VRFY-14 a key has one session, and sessions of several keys accumulate', async () => {
    const wallet = await newWallet(kit)
    const device = newDeviceKey()
    for (const key of [device, device, newDeviceKey()]) {
      const call = byCode(wallet, await sealCode(wallet, { device: key }))
      expectStatus(await call(await signedBy(key, expectStatus(await call(), 202))), 200)
    }
    assert.equal((await listSessions(wallet.api, wallet.accountId)).length, 2)
  })

  test('VRFY-15 after ten failures the credential is blocked for a while', async () => {
    const wallet = await newWallet(kit)
    const call = byCode(wallet, await sealCode(wallet, { device: newDeviceKey(), code: '999999' }))
    for (let n = 0; n < 10; n += 1) assert.equal((await call()).status, 401)
    const closed = await call()
    expectError(closed, 429, 'RATE_LIMITED')
    await advance(wallet.api, Number(closed.headers.get('retry-after')))
    assert.equal((await call()).status, 401)
  })
})

async function withPasskey() {
  const wallet = await newWallet(kit, { customer: { email: undefined } })
  const authenticator = softwareAuthenticator()
  const challenge = randomBytes(32)
  const body = {
    type: 'PASSKEY',
    accountId: wallet.accountId,
    nickname: 'Phone',
    challenge: challenge.toString('base64url'),
    attestation: authenticator.register({ challenge }),
  }
  const { id } = expectStatus(await wallet.api.post('/auth/credentials', body), 201)
  return { wallet, authenticator, id }
}

describe('passkeys', () => {
  test('VRFY-8 VRFY-9 VRFY-10 each check has its reason; a failure leaves the signature request pending', async () => {
    const { wallet, authenticator, id } = await withPasskey()
    const asked = expectStatus(
      await begin(wallet, { clientPublicKey: newDeviceKey().publicKey }, id),
      200,
    )
    const challenge = Buffer.from(text(asked.challenge), 'utf8')
    const requestId = text(asked.requestId)
    const verify = (assertion: object, headers = signedHeaders({ requestId })) =>
      verifying(wallet, { type: 'PASSKEY', assertion }, id)(headers)
    const good = authenticator.assert({ challenge })
    expectError(await verify(good, {}), 401, 'REQUEST_ID_MISSING')
    const stranger = softwareAuthenticator()
    const cases: readonly [object, string][] = [
      [stranger.assert({ challenge }), 'Passkey credential id mismatch'],
      [authenticator.assert({ challenge: randomBytes(32) }), 'Passkey challenge mismatch'],
      [
        authenticator.assert({ challenge, origin: 'https://evil.example.com' }),
        'Passkey origin mismatch',
      ],
      [authenticator.assert({ challenge, rpId: 'other.example' }), 'Passkey RP ID mismatch'],
      [authenticator.assert({ challenge, isUserPresent: false }), 'User presence is required'],
      [
        { ...good, signature: stranger.assert({ challenge }).signature },
        'Passkey signature is invalid',
      ],
    ]
    for (const [assertion, reason] of cases) assert.equal(reasonOf(await verify(assertion)), reason)
    const last = authenticator.assert({ challenge })
    const racing = await Promise.all([verify(last), verify(last)])
    assert.deepEqual(racing.map(({ status }) => status).toSorted(), [200, 401])
    const used = 'Request-Id is unknown, expired or already used'
    assert.equal(reasonOf(await verify(authenticator.assert({ challenge }))), used)
  })

  test('the sandbox literal replaces the proof, not the signature request', async () => {
    const { wallet, authenticator, id } = await withPasskey()
    const clientPublicKey = newDeviceKey().publicKeyUncompressed
    const asked = expectStatus(await begin(wallet, { clientPublicKey }, id), 200)
    const signature = 'sandbox-valid-passkey-signature'
    const assertion = { ...authenticator.assert({ challenge: randomBytes(16) }), signature }
    const headers = signedHeaders({ requestId: text(asked.requestId) })
    const verify = (given: object) => verifying(wallet, { type: 'PASSKEY', assertion: given }, id)
    const wrong = await verify({ ...assertion, credentialId: 'AAAA' })(headers)
    assert.equal(reasonOf(wrong), 'Passkey credential id mismatch')
    const keyed = { ...headers, 'Idempotency-Key': 'once' }
    const session = expectStatus(await verify(assertion)(keyed), 200)
    assert.ok(session.encryptedSessionSigningKey)
    // An answer with a sealed key is stored nowhere, so the key is judged again (VRFY-11).
    assert.equal((await verify(assertion)(keyed)).status, 401)
    const [listed] = await listSessions(wallet.api, wallet.accountId)
    assert.equal(listed?.encryptedSessionSigningKey, undefined)
  })
})

async function withOauth() {
  const wallet = await newWallet(kit, { customer: { email: undefined } })
  const body = { type: 'OAUTH', accountId: wallet.accountId, oidcToken: newOidcToken() }
  const { id } = expectStatus(await wallet.api.post('/auth/credentials', body), 201)
  return { wallet, id }
}

describe('OAUTH', () => {
  test('VRFY-6 VRFY-7 VRFY-17 scenario 8: a fresh token of the same identity logs in once, for its key', async () => {
    const { wallet, id } = await withOauth()
    const { publicKey: clientPublicKey } = newDeviceKey()
    const nonce = oidcNonce(clientPublicKey)
    const now = Math.floor(Date.now() / 1000)
    const verify = (claims: object) =>
      verifying(wallet, { type: 'OAUTH', oidcToken: newOidcToken(claims), clientPublicKey }, id)
    const mismatch = 'OIDC token identity does not match the credential'
    const cases: readonly [object, string][] = [
      [{ iat: now - 120, iss: 'https://evil.example.com' }, 'OIDC token is older than 60 seconds'],
      [{ nonce, iat: now + 60 }, 'OIDC token is issued in the future'],
      [{ nonce, exp: now - 1 }, 'OIDC token has expired'],
      [{ nonce, sub: 'other' }, mismatch],
      [{ nonce, aud: 'other' }, mismatch],
      [{ nonce, iss: 'https://evil.example.com' }, mismatch],
      [{}, 'OIDC token nonce does not match clientPublicKey'],
      [
        { nonce: oidcNonce(newDeviceKey().publicKey) },
        'OIDC token nonce does not match clientPublicKey',
      ],
    ]
    for (const [claims, reason] of cases) assert.equal(reasonOf(await verify(claims)()), reason)
    const call = verify({ nonce, jti: 'one' })
    const session = expectStatus(await call(signedHeaders({ stamp: 'x', requestId: 'y' })), 200)
    assert.equal(session.type, 'OAUTH')
    assert.equal(reasonOf(await call()), 'OIDC token was already used')
    const body = { type: 'OAUTH', oidcToken: 'nonsense', clientPublicKey }
    expectFields(await verifying(wallet, body, id)(), ['oidcToken'])
  })
})
