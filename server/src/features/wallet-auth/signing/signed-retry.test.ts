import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../../kernel/ids.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Answer,
} from '../../../../test/kit/api.ts'
import { characterChangesOf } from '../../../../test/kit/random/byte-changes.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import {
  newDeviceKey,
  openExport,
  openSessionKey,
  sealOtp,
  stamp,
} from '../../../../test/kit/wallets/client.ts'
import {
  advance,
  listSessions,
  logIn,
  newWallet,
  sealCode,
  signBoth,
  signedBy,
  signedHeaders,
  type TestWallet,
  type Call,
  challengeOf,
} from '../../../../test/kit/wallets/wallets.ts'

const kit = await startKit()
const UNKNOWN = 'Request-Id is unknown, expired or already used'

const privacy =
  ({ api, accountId }: TestWallet, body: object = { privateEnabled: true }) =>
  (headers: Record<string, string> = {}) =>
    api.patch(`/internal-accounts/${accountId}`, body, { headers })

const isPrivate = async ({ api, customer, accountId }: TestWallet): Promise<unknown> => {
  const query = { customerId: customer.id }
  const { data } = expectStatus(await api.get('/customers/internal-accounts', { query }), 200)
  return data.find(({ id }) => id === accountId)?.privateEnabled
}

describe('headers and signature requests', () => {
  test('SIGN-1 ERR-5 a value without canonical form is refused by its field, known or not', async () => {
    const { api, accountId } = await newWallet(kit)
    for (const [member, field] of [
      ['"x":1e400', 'x'],
      ['"\\ud800":1', '\ufffd'],
    ] as const) {
      const body = `{"privateEnabled":true,${member}}`
      const headers = { 'content-type': 'application/json' }
      const path = `/internal-accounts/${accountId}` as const
      expectFields(await api.send('PATCH', path, { headers, body }), [field])
    }
  })

  test('SIGN-1 each first call opens a signature request of its own for 300 s, without any effect', async () => {
    const wallet = await newWallet(kit)
    const first = expectStatus(await privacy(wallet)(), 202)
    const second = expectStatus(await privacy(wallet)(), 202)
    assert.notEqual(first.requestId, second.requestId)
    assert.match(first.requestId, /^Request:/)
    const payload = JSON.parse(first.payloadToSign) as Record<string, unknown>
    assert.equal(payload['requestId'], first.requestId)
    const lifeMs = Date.parse(first.expiresAt) - Number(payload['timestampMs'])
    assert.equal(lifeMs, 300_000)
    assert.equal(await isPrivate(wallet), false)
    const { device } = await logIn(wallet)
    expectStatus(await privacy(wallet)(await signedBy(device, second)), 200)
    expectStatus(await privacy(wallet)(await signedBy(device, first)), 200)
  })

  test('SIGN-2 SIGN-3 scenario 12: one header alone, an empty header, and a malformed or repeated stamp are refused', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    const call = privacy(wallet)
    const challenge = expectStatus(await call(), 202)
    const requestId = challenge.requestId
    const value = await stamp(device, challenge.payloadToSign)
    expectError(await call(signedHeaders({ stamp: value })), 401, 'REQUEST_ID_MISSING')
    expectError(await call(signedHeaders({ requestId })), 401, 'WALLET_SIGNATURE_MISSING')
    expectError(
      await call(signedHeaders({ stamp: '', requestId })),
      401,
      'WALLET_SIGNATURE_MISSING',
    )
    const json = { publicKey: device.publicKey, scheme: 'OTHER', signature: '00' }
    const others = [
      'abc',
      `${value}, ${value}`,
      Buffer.from(JSON.stringify(json)).toString('base64'),
    ]
    for (const other of others) {
      const answer = await call(signedHeaders({ stamp: other, requestId }))
      expectError(answer, 401, 'WALLET_SIGNATURE_MALFORMED')
    }
    expectStatus(await call(signedHeaders({ stamp: value, requestId })), 200)
  })

  test('SIGN-4 SIGN-23 an unknown, foreign, expired or used Request-Id, or one of another operation or resource, is refused alike', async () => {
    const wallet = await newWallet(kit)
    const other = await newWallet(kit, { platform: wallet.platform })
    const foreign = await newWallet(kit)
    const { device, session } = await logIn(wallet)
    const call = privacy(wallet)
    const refused = async (requestId: string, payload = 'x'): Promise<void> => {
      const headers = signedHeaders({ stamp: await stamp(device, payload), requestId })
      assert.equal(expectError(await call(headers), 401, 'UNAUTHORIZED')['reason'], UNKNOWN)
    }
    await refused('nonsense')
    await refused(`Request:${newId('request')}`)
    for (const another of [other, foreign]) {
      const theirs = expectStatus(await privacy(another)(), 202)
      await refused(theirs.requestId, theirs.payloadToSign)
    }
    const path = `/auth/sessions/${session.id}` as const
    const revocation = expectStatus(await wallet.api.delete(path), 202)
    await refused(revocation.requestId, revocation.payloadToSign)
    const used = expectStatus(await call(), 202)
    expectStatus(await call(await signedBy(device, used)), 200)
    await refused(used.requestId, used.payloadToSign)
    const late = expectStatus(await call(), 202)
    await advance(wallet.api, 300)
    await refused(late.requestId, late.payloadToSign)
  })

  test('SIGN-5 the body must be the same JSON value, in any spelling', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    const path = `/internal-accounts/${wallet.accountId}` as const
    const challenge = expectStatus(await privacy(wallet, { privateEnabled: true, note: 1 })(), 202)
    const headers = await signedBy(device, challenge)
    const refused = await privacy(wallet, { privateEnabled: false, note: 1 })(headers)
    expectError(refused, 401, 'WALLET_SIGNATURE_BODY_MISMATCH')
    const body = '{ "note" : 1.0,\n "privateEnabled":true}'
    const type = { 'content-type': 'application/json' }
    const answer = await wallet.api.send('PATCH', path, { headers: { ...headers, ...type }, body })
    assert.equal(expectStatus(answer, 200).privateEnabled, true)
  })
})

describe('signatures', () => {
  test('SIGN-6 SIGN-7 SESS-7 the key must have an active session, and the signature must be over the exact text', async () => {
    const wallet = await newWallet(kit)
    const { device, session } = await logIn(wallet)
    const call = privacy(wallet)
    const challenge = expectStatus(await call(), 202)
    const payload = challenge.payloadToSign
    const requestId = challenge.requestId
    const reasonOf = async (value: string): Promise<unknown> =>
      expectError(
        await call(signedHeaders({ stamp: value, requestId })),
        401,
        'WALLET_SIGNATURE_INVALID',
      )['reason']
    const stranger = 'Public key has no active session on this account'
    assert.equal(await reasonOf(await stamp(newDeviceKey(), payload)), stranger)
    assert.equal(await reasonOf(await stamp(device, `${payload} `)), 'Signature does not verify')
    const respelt = JSON.stringify(JSON.parse(payload), null, 1)
    assert.equal(await reasonOf(await stamp(device, respelt)), 'Signature does not verify')
    const end = (headers = {}) => wallet.api.delete(`/auth/sessions/${session.id}`, { headers })
    expectStatus(await signBoth(end, device), 204)
    assert.equal(await reasonOf(await stamp(device, payload)), stranger)
    assert.equal(await isPrivate(wallet), false)
  })

  test('SIGN-3 SIGN-7 a stamp with any single character changed is refused', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    const call = privacy(wallet)
    const challenge = expectStatus(await call(), 202)
    const value = await stamp(device, challenge.payloadToSign)
    const json = Buffer.from(value, 'base64url').toString('latin1')
    await fc.assert(
      fc.asyncProperty(characterChangesOf(json), async (changed) => {
        fc.pre(changed.toLowerCase() !== json.toLowerCase())
        const asked = expectStatus(await call(), 202)
        const headers = signedHeaders({
          stamp: Buffer.from(changed, 'latin1').toString('base64url'),
          requestId: asked.requestId,
        })
        const { status, body } = await call(headers)
        assert.equal(status, 401)
        assert.match(text(body.code), /^WALLET_SIGNATURE_(MALFORMED|INVALID)$/)
      }),
      { numRuns: 25 },
    )
    assert.equal(await isPrivate(wallet), false)
  })

  test('SIGN-8 the tenth refusal voids the signature request', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    const call = privacy(wallet)
    const challenge = expectStatus(await call(), 202)
    const payload = challenge.payloadToSign
    const bad = signedHeaders({
      stamp: await stamp(device, `${payload}x`),
      requestId: challenge.requestId,
    })
    for (let n = 0; n < 10; n += 1) expectError(await call(bad), 401, 'WALLET_SIGNATURE_INVALID')
    const details = expectError(await call(await signedBy(device, challenge)), 401, 'UNAUTHORIZED')
    assert.equal(details['reason'], UNKNOWN)
  })

  test('the sandbox literal needs no session but a signature request; production has no literal', async () => {
    const wallet = await newWallet(kit)
    const call = privacy(wallet)
    const literal = 'sandbox-valid-signature'
    expectError(await call(signedHeaders({ stamp: literal })), 401, 'REQUEST_ID_MISSING')
    const challenge = expectStatus(await call(), 202)
    const headers = signedHeaders({ stamp: literal, requestId: challenge.requestId })
    expectStatus(await call(headers), 200)
    expectError(await call(headers), 401, 'UNAUTHORIZED')
    const production = await newWallet(kit, {
      platform: await kit.platform({ environment: 'PRODUCTION', currencies: ['USDB'] }),
    })
    const asked = expectStatus(await privacy(production)(), 202)
    const refused = signedHeaders({ stamp: literal, requestId: asked.requestId })
    expectError(await privacy(production)(refused), 401, 'WALLET_SIGNATURE_MALFORMED')
  })
})

describe('once', () => {
  test('SIGN-9 SIGN-11 of twenty identical retries at once exactly one takes effect', async () => {
    const wallet = await newWallet(kit)
    const { device, session } = await logIn(wallet)
    const next = newDeviceKey()
    const call = (headers = {}) =>
      wallet.api.post(
        `/auth/sessions/${session.id}/refresh`,
        { clientPublicKey: next.publicKeyUncompressed },
        { headers },
      )
    const headers = await signedBy(device, expectStatus(await call(), 202))
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(headers)))
    const done = answers.filter(({ status }) => status === 201)
    assert.equal(done.length, 1)
    for (const answer of answers.filter((one) => one !== done[0])) {
      assert.equal(expectError(answer, 401, 'UNAUTHORIZED')['reason'], UNKNOWN)
    }
    assert.equal((await listSessions(wallet.api, wallet.accountId)).length, 2)
  })

  test('SIGN-12 one Idempotency-Key serves the first call and the retry; the final answer is replayed', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    const key = { 'Idempotency-Key': 'one' }
    const call = (headers: Record<string, string> = {}) => privacy(wallet)({ ...key, ...headers })
    const challenge = expectStatus(await call(), 202)
    const bad = signedHeaders({ stamp: 'abc', requestId: challenge.requestId })
    expectError(await call(bad), 401, 'WALLET_SIGNATURE_MALFORMED')
    const headers = await signedBy(device, challenge)
    const done = expectStatus(await call(headers), 200)
    const again = await call(headers)
    assert.deepEqual(expectStatus(again, 200), done)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  })

  test('SIGN-10 EXPT-6 scenario 16: a retry answers PROCESSING until a job has settled it, then the final answer', async () => {
    const wallet = await newWallet(kit, { customer: { email: 'ann+processing@example.com' } })
    const { api, accountId } = wallet
    const path = `/auth/credentials/${wallet.emailCredentialId}` as const
    assert.equal(expectStatus(await api.post(`${path}/challenge`), 200).status, 'PROCESSING')
    assert.equal(expectStatus(await api.post(`${path}/challenge`), 200).status, 'PROCESSING')
    await advance(api, 5)
    const device = newDeviceKey()
    const challenged = expectStatus(await api.post(`${path}/challenge`), 200)
    const body = {
      type: 'EMAIL_OTP',
      encryptedOtpBundle: await sealOtp({
        code: '000000',
        targetBundle: text(challenged.otpEncryptionTargetBundle),
        publicKey: device.publicKey,
        signerPublicKey: wallet.signerPublicKey,
      }),
    }
    const verify = (headers = {}) => api.post(`${path}/verify`, body, { headers })
    const signed = await signedBy(device, expectStatus(await verify(), 202))
    assert.equal(expectStatus(await verify(signed), 200).status, 'PROCESSING')
    assert.deepEqual(await listSessions(api, accountId), [])
    assert.equal(expectStatus(await verify(signed), 200).status, 'PROCESSING')
    await advance(api, 5)
    assert.equal((await listSessions(api, accountId)).length, 1)
    const session = expectStatus(await verify(signed), 200)
    assert.match(text(session.id), /^Session:/)
    assert.deepEqual(expectStatus(await verify(signed), 200), session)
    const client = newDeviceKey()
    const clientPublicKey = client.publicKeyUncompressed
    const take = (headers = {}) =>
      api.post(`/internal-accounts/${accountId}/export`, { clientPublicKey }, { headers })
    const asked = expectStatus(await take(), 202)
    const stamped = await signedBy(device, asked)
    assert.equal(expectStatus(await take(stamped), 200).status, 'PROCESSING')
    await advance(api, 5)
    const { encryptedWalletCredentials } = expectStatus(await take(stamped), 200)
    const words = await openExport({
      encryptedWalletCredentials: text(encryptedWalletCredentials),
      payloadToSign: asked.payloadToSign,
      device: client,
      signerPublicKey: wallet.signerPublicKey,
    })
    assert.equal(words.split(' ').length, 12)
    expectError(await take(stamped), 401, 'UNAUTHORIZED')
    const refresh = (headers = {}) =>
      api.post(`/auth/sessions/${session.id}/refresh`, { clientPublicKey }, { headers })
    const asking = expectStatus(await refresh(), 202)
    const renewed = await signedBy(device, asking)
    assert.equal(expectStatus(await refresh(renewed), 200).status, 'PROCESSING')
    await advance(api, 5)
    const fresh = expectStatus(await refresh(renewed), 201)
    const encryptedSessionSigningKey = text(fresh.encryptedSessionSigningKey)
    assert.ok(openSessionKey({ encryptedSessionSigningKey, device: client }).publicKey)
    expectError(await refresh(renewed), 401, 'UNAUTHORIZED')
  })

  test('SIGN-10 an asynchronous revocation answers 204 although the revoked credential is gone', async () => {
    const customer = { email: 'bea+processing@example.com', phoneNumber: '+14155550101' }
    const wallet = await newWallet(kit, { customer })
    const { api, accountId } = wallet
    const settle = async <A extends Answer>(call: Call<A>) => {
      const { requestId } = await challengeOf(call)
      const headers = signedHeaders({ stamp: 'sandbox-valid-signature', requestId })
      const settling: Answer = await call(headers)
      assert.equal(expectStatus(settling, 200)['status'], 'PROCESSING')
      await advance(api, 5)
      return { headers, answer: await call(headers) }
    }
    const added = await settle((headers = {}) =>
      api.post('/auth/credentials', { type: 'SMS_OTP', accountId }, { headers }),
    )
    const credentialId = expectStatus(added.answer, 201).id
    const code = await api.post(`/auth/credentials/${credentialId}/challenge`)
    assert.equal(expectStatus(code, 200).status, 'PROCESSING')
    await advance(api, 5)
    const device = newDeviceKey()
    const encryptedOtpBundle = await sealCode(wallet, { device, credentialId })
    const login = await settle((headers = {}) =>
      api.post(
        `/auth/credentials/${credentialId}/verify`,
        { type: 'SMS_OTP', encryptedOtpBundle },
        { headers },
      ),
    )
    const sessionId = text(expectStatus(login.answer, 200).id)
    for (const path of [`/auth/sessions/${sessionId}`, `/auth/credentials/${credentialId}`]) {
      const call = (headers = {}) => api.delete(path, { headers })
      const { headers, answer } = await settle(call)
      expectStatus(answer, 204)
      expectStatus(await call(headers), 204)
      expectError(await call(), 404, 'REFERENCE_NOT_FOUND')
      const other = { ...headers, 'Service-Wallet-Signature': 'abc' }
      expectError(await call(other), 404, 'REFERENCE_NOT_FOUND')
      await advance(api, 300)
      expectError(await call(headers), 404, 'REFERENCE_NOT_FOUND')
    }
  })

  test('SIGN-22 a change must name a known field and a wallet', async () => {
    const wallet = await newWallet(kit)
    expectFields(await privacy(wallet, {})(), ['privateEnabled'])
    expectFields(await privacy(wallet, { privateEnabled: 'yes' })(), ['privateEnabled'])
    const { data } = expectStatus(await wallet.api.get('/platform/internal-accounts'), 200)
    const path = `/internal-accounts/${data[0]?.id}` as const
    expectFields(await wallet.api.patch(path, { privateEnabled: true }), ['id'])
  })
})
