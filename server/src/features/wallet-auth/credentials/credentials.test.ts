import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { newId } from '../../../kernel/ids.ts'
import { expectError, expectFields, expectStatus, text } from '../../../../test/kit/api.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { newOidcToken } from '../../../../test/kit/outside/oidc-tokens.ts'
import {
  softwareAuthenticator,
  type RegistrationCeremony,
  type SoftwareAuthenticator,
} from '../../../../test/kit/sca/software-authenticator.ts'
import {
  advance,
  listCredentials,
  listSessions,
  logIn,
  newWallet,
  sealCode,
  signBoth,
  signedBy,
  signedHeaders,
  type TestWallet,
} from '../../../../test/kit/wallets/wallets.ts'

const kit = await startKit()

const adding =
  ({ api, accountId }: TestWallet, body: object) =>
  (headers: Record<string, string> = {}) =>
    api.post('/auth/credentials', { accountId, ...body }, { headers })

function passkeyBody(
  authenticator: SoftwareAuthenticator = softwareAuthenticator(),
  ceremony: Partial<RegistrationCeremony> = {},
) {
  const challenge = ceremony.challenge ?? randomBytes(32)
  return {
    type: 'PASSKEY',
    nickname: 'Phone',
    challenge: challenge.toString('base64url'),
    attestation: authenticator.register({ challenge, ...ceremony }),
  }
}

describe('wallets and lists', () => {
  test('CRED-1 CRED-2 a customer with USDB has one wallet, with a credential where it has an address', async () => {
    const wallet = await newWallet(kit)
    const without = await newWallet(kit, {
      platform: wallet.platform,
      customer: { email: undefined },
    })
    assert.equal(without.emailCredentialId, '')
    const [credential, ...rest] = await listCredentials(wallet.api, wallet.accountId)
    assert.equal(rest.length, 0)
    assert.deepEqual(
      [credential?.type, credential?.nickname, credential?.accountId],
      ['EMAIL_OTP', wallet.customer.email, wallet.accountId],
    )
    assert.ok(credential && !('otpEncryptionTargetBundle' in credential))
    const body = { customerType: 'INDIVIDUAL', currencies: ['USD'], email: 'x@example.com' }
    const { id } = expectStatus(await wallet.api.post('/customers', body), 201)
    const query = { customerId: id, type: 'EMBEDDED_WALLET' }
    const list = () => wallet.api.get('/customers/internal-accounts', { query })
    assert.equal(expectStatus(await list(), 200).data.length, 0)
    const change = { customerType: 'INDIVIDUAL', currencies: ['USD', 'USDB'] }
    expectStatus(await wallet.api.patch(`/customers/${id}`, change), 200)
    const [later] = expectStatus(await list(), 200).data
    assert.equal((await listCredentials(wallet.api, text(later?.id))).length, 1)
  })

  test('CRED-3 the list holds all credentials, oldest first, the WebAuthn id on passkeys only', async () => {
    const wallet = await newWallet(kit, { customer: { phoneNumber: '+14155550123' } })
    const { device } = await logIn(wallet)
    const bodies = [
      { type: 'SMS_OTP' },
      passkeyBody(),
      { type: 'OAUTH', oidcToken: newOidcToken() },
    ]
    for (const body of bodies) expectStatus(await signBoth(adding(wallet, body), device), 201)
    const listed = await listCredentials(wallet.api, wallet.accountId)
    const types = listed.map(({ type }) => type)
    assert.deepEqual(types, ['EMAIL_OTP', 'SMS_OTP', 'PASSKEY', 'OAUTH'])
    for (const credential of listed) {
      assert.equal('credentialId' in credential, credential.type === 'PASSKEY')
      assert.ok(!('otpEncryptionTargetBundle' in credential))
    }
  })

  test('CRED-4 both lists need a well-formed account id and are empty for an account of another platform', async () => {
    const wallet = await newWallet(kit)
    const foreign = await newWallet(kit)
    const { data } = expectStatus(await wallet.api.get('/platform/internal-accounts'), 200)
    for (const path of ['/auth/credentials', '/auth/sessions']) {
      expectFields(await wallet.api.get(path), ['accountId'])
      expectFields(await wallet.api.get(path, { query: { accountId: 'x' } }), ['accountId'])
      const others = [
        foreign.accountId,
        `InternalAccount:${newId('internalAccount')}`,
        text(data[0]?.id),
      ]
      for (const accountId of others) {
        const answer = await wallet.api.get(path, { query: { accountId } })
        assert.deepEqual(expectStatus(answer, 200), { data: [] })
      }
    }
  })

  test('CRED-22 deleting the customer ends wallet, credentials and sessions', async () => {
    const wallet = await newWallet(kit)
    const { session } = await logIn(wallet)
    expectStatus(await wallet.api.delete(`/customers/${wallet.customer.id}`), 200)
    assert.deepEqual(await listCredentials(wallet.api, wallet.accountId), [])
    assert.deepEqual(await listSessions(wallet.api, wallet.accountId), [])
    const path = `/auth/credentials/${wallet.emailCredentialId}` as const
    expectError(await wallet.api.post(`${path}/challenge`), 404, 'REFERENCE_NOT_FOUND')
    expectError(await wallet.api.delete(path), 404, 'REFERENCE_NOT_FOUND')
    expectError(await wallet.api.delete(`/auth/sessions/${session.id}`), 404, 'REFERENCE_NOT_FOUND')
    expectError(await adding(wallet, { type: 'SMS_OTP' })(), 404, 'REFERENCE_NOT_FOUND')
  })
})

describe('adding', () => {
  test('CRED-5 the account must exist and be a wallet', async () => {
    const wallet = await newWallet(kit)
    const foreign = await newWallet(kit)
    for (const accountId of [foreign.accountId, `InternalAccount:${newId('internalAccount')}`]) {
      const answer = await adding(wallet, { type: 'EMAIL_OTP', accountId })()
      expectError(answer, 404, 'REFERENCE_NOT_FOUND')
    }
    const { data } = expectStatus(await wallet.api.get('/platform/internal-accounts'), 200)
    const accountId = data[0]?.id
    expectFields(await adding(wallet, { type: 'EMAIL_OTP', accountId })(), ['accountId'])
  })

  test('CRED-6 SIGN-13 the first credential is added at once, headers or not; the next has to be signed', async () => {
    const wallet = await newWallet(kit, { customer: { email: undefined } })
    const headers = signedHeaders({ stamp: 'anything', requestId: 'anything' })
    const first = expectStatus(await adding(wallet, passkeyBody())(headers), 201)
    assert.equal(first.type, 'PASSKEY')
    expectStatus(await adding(wallet, passkeyBody())(), 202)
    assert.equal((await listCredentials(wallet.api, wallet.accountId)).length, 1)
  })

  test('CRED-8 CRED-10 a second credential of a kind, and one for a missing contact, are refused', async () => {
    const phoneNumber = '+4915112345678'
    const wallet = await newWallet(kit, { customer: { phoneNumber } })
    const { device } = await logIn(wallet)
    const add = (body: object) => signBoth(adding(wallet, body), device)
    const email = await adding(wallet, { type: 'EMAIL_OTP' })()
    expectError(email, 400, 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS')
    const sms = expectStatus(await add({ type: 'SMS_OTP' }), 201)
    assert.equal(sms.nickname, phoneNumber)
    const again = await adding(wallet, { type: 'SMS_OTP' })()
    expectError(again, 400, 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS')
    const authenticator = softwareAuthenticator()
    expectStatus(await add(passkeyBody(authenticator)), 201)
    const twice = await adding(wallet, passkeyBody(authenticator))()
    expectError(twice, 400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS')
    const oidcToken = newOidcToken({ email: 'ann@gmail.com' })
    const oauth = expectStatus(await add({ type: 'OAUTH', oidcToken }), 201)
    assert.equal(oauth.nickname, 'ann@gmail.com')
    const same = { type: 'OAUTH', oidcToken: newOidcToken({ iss: 'accounts.google.com' }) }
    expectFields(await adding(wallet, same)(), ['oidcToken'])
    const bare = await newWallet(kit, { customer: { email: undefined } })
    for (const type of ['EMAIL_OTP', 'SMS_OTP']) {
      expectError(await adding(bare, { type })(), 400, 'MISSING_MANDATORY_USER_INFO')
    }
  })

  test('CRED-7 a credential that would be refused gets no challenge, and is refused on the retry as well', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    expectError(
      await adding(wallet, { type: 'EMAIL_OTP' })(),
      400,
      'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
    )
    const authenticator = softwareAuthenticator()
    const [one, other] = [
      adding(wallet, passkeyBody(authenticator)),
      adding(wallet, passkeyBody(authenticator)),
    ]
    const [asked, later] = [expectStatus(await one(), 202), expectStatus(await other(), 202)]
    expectStatus(await one(await signedBy(device, asked)), 201)
    const refused = await other(await signedBy(device, later))
    expectError(refused, 400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS')
    expectError(await other(), 400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS')
    assert.equal((await listCredentials(wallet.api, wallet.accountId)).length, 2)
  })

  test('CRED-11 adding an OTP credential sends no code and returns no target key', async () => {
    const phoneNumber = '+14155550124'
    const wallet = await newWallet(kit, { customer: { phoneNumber } })
    const { device } = await logIn(wallet)
    const added = expectStatus(await signBoth(adding(wallet, { type: 'SMS_OTP' }), device), 201)
    assert.equal(added.nickname, phoneNumber)
    assert.equal('otpEncryptionTargetBundle' in added, false)
    const path = `/auth/credentials/${added.id}/verify` as const
    const encryptedOtpBundle = await sealCode(wallet, { device })
    const answer = await wallet.api.post(path, { type: 'SMS_OTP', encryptedOtpBundle })
    const { reason } = expectError(answer, 401, 'UNAUTHORIZED')
    assert.equal(reason, 'No pending OTP for this credential')
    const challenge = await wallet.api.post(`/auth/credentials/${added.id}/challenge`)
    assert.ok(expectStatus(challenge, 200).otpEncryptionTargetBundle)
  })

  test('CRED-9 of two racing adds of the same passkey one succeeds', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    const authenticator = softwareAuthenticator()
    const calls = [1, 2, 3].map(() => adding(wallet, passkeyBody(authenticator)))
    const signed = await Promise.all(
      calls.map(async (call) => ({
        call,
        headers: await signedBy(device, expectStatus(await call(), 202)),
      })),
    )
    const answers = await Promise.all(signed.map(({ call, headers }) => call(headers)))
    const codes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim())
    const refused = '400 PASSKEY_CREDENTIAL_ALREADY_EXISTS'
    assert.deepEqual(codes.toSorted(), ['201', refused, refused])
    assert.equal((await listCredentials(wallet.api, wallet.accountId)).length, 2)
  })

  test('CRED-12 CRED-13 a faulty registration is refused by its field', async () => {
    const wallet = await newWallet(kit)
    const body = passkeyBody()
    const { attestation } = body
    const cases: readonly [object, string][] = [
      [{ ...body, nickname: '   ' }, 'nickname'],
      [{ ...body, nickname: 'phone<script>' }, 'nickname'],
      [{ ...body, nickname: 'x'.repeat(101) }, 'nickname'],
      [{ ...body, challenge: randomBytes(15).toString('base64url') }, 'challenge'],
      [{ ...body, challenge: randomBytes(32).toString('base64url') }, 'challenge'],
      [
        { ...body, attestation: { ...attestation, clientDataJson: 'AAAA' } },
        'attestation.clientDataJson',
      ],
      [
        { ...body, attestation: { ...attestation, attestationObject: 'AAAA' } },
        'attestation.attestationObject',
      ],
      [
        { ...body, attestation: { ...attestation, credentialId: 'AAAA' } },
        'attestation.credentialId',
      ],
      [
        { ...body, attestation: { ...attestation, transports: ['usb', 'pigeon'] } },
        'attestation.transports.1',
      ],
      [
        passkeyBody(softwareAuthenticator({ origin: 'http://example.com', rpId: 'example.com' })),
        'attestation.clientDataJson',
      ],
      [passkeyBody(undefined, { isUserPresent: false }), 'attestation.attestationObject'],
    ]
    for (const [wrong, field] of cases) expectFields(await adding(wallet, wrong)(), [field])
    const { device } = await logIn(wallet)
    for (const challenge of [randomBytes(32), randomBytes(9_000)]) {
      const first = passkeyBody(softwareAuthenticator(), { challenge })
      expectStatus(await signBoth(adding(wallet, first), device), 201)
      const used = passkeyBody(softwareAuthenticator(), { challenge })
      expectFields(await adding(wallet, used)(), ['challenge'])
    }
  })

  test('CRED-13 a WebAuthn id has at most 1,023 bytes', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    const longest = passkeyBody(softwareAuthenticator({ credentialIdBytes: 1_023 }))
    expectStatus(await signBoth(adding(wallet, longest), device), 201)
    const longer = passkeyBody(softwareAuthenticator({ credentialIdBytes: 1_024 }))
    expectFields(await adding(wallet, longer)(), ['attestation.credentialId'])
  })

  test('CRED-14 a registration from an origin that is not configured is refused', async () => {
    const platform = await kit.platform({
      currencies: ['USDB'],
      passkeyOrigins: ['https://app.example.com'],
    })
    const wallet = await newWallet(kit, { platform })
    const page = { origin: 'https://app.example.com', rpId: 'example.com' }
    expectStatus(await adding(wallet, passkeyBody(softwareAuthenticator(page)))(), 202)
    const other = { origin: 'https://evil.example.com', rpId: 'example.com' }
    const refused = await adding(wallet, passkeyBody(softwareAuthenticator(other)))()
    expectFields(refused, ['attestation.clientDataJson'])
  })

  test('CRED-15 CRED-16 tokens are judged by form, issuer and time, on the first call only', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    const add = (oidcToken: string) => adding(wallet, { type: 'OAUTH', oidcToken })
    const forms = [
      'sandbox-valid-oidc-token',
      newOidcToken({ iss: 'https://evil.example.com' }),
      newOidcToken({ aud: ['a', 'b'] }),
      newOidcToken({ sub: '' }),
      newOidcToken({ sub: 'a\u0000b' }),
      newOidcToken({ sub: randomBytes(9_000).toString('hex') }),
      newOidcToken({ iat: undefined }),
    ]
    for (const token of forms) expectFields(await add(token)(), ['oidcToken'])
    const now = Math.floor(Date.now() / 1000)
    const late: readonly [object, string][] = [
      [{ iat: now - 120 }, 'OIDC token is older than 60 seconds'],
      [{ iat: now + 60 }, 'OIDC token is issued in the future'],
      [{ exp: now - 1 }, 'OIDC token has expired'],
    ]
    for (const [claims, reason] of late) {
      const details = expectError(await add(newOidcToken(claims))(), 401, 'UNAUTHORIZED')
      assert.equal(details['reason'], reason)
    }
    const call = add(newOidcToken({ aud: ['app'], email: 'a\u0000b' }))
    const challenge = expectStatus(await call(), 202)
    await advance(wallet.api, 200)
    const added = expectStatus(await call(await signedBy(device, challenge)), 201)
    assert.equal(added.nickname, 'subject')
  })
})

describe('revoking', () => {
  test('CRED-18 CRED-19 CRED-20 CRED-21 the last credential stays; another one signs; its sessions and OTP end', async () => {
    const wallet = await newWallet(kit)
    const { api, accountId, emailCredentialId } = wallet
    const path = `/auth/credentials/${emailCredentialId}` as const
    const revoke = (headers = {}) => api.delete(path, { headers })
    expectError(await revoke(), 400, 'INVALID_INPUT')
    const { device } = await logIn(wallet)
    const oidcToken = newOidcToken()
    const oauth = expectStatus(
      await signBoth(adding(wallet, { type: 'OAUTH', oidcToken }), device),
      201,
    )
    const challenge = expectStatus(await revoke(), 202)
    const details = expectError(
      await revoke(await signedBy(device, challenge)),
      401,
      'WALLET_SIGNATURE_INVALID',
    )
    assert.equal(details['reason'], 'Session may not sign this request')
    const literal = { stamp: 'sandbox-valid-signature', requestId: challenge.requestId }
    expectStatus(await revoke(signedHeaders(literal)), 204)
    expectError(await revoke(), 404, 'REFERENCE_NOT_FOUND')
    expectError(await api.post(`${path}/challenge`), 404, 'REFERENCE_NOT_FOUND')
    assert.deepEqual(await listSessions(api, accountId), [])
    const left = await listCredentials(api, accountId)
    assert.deepEqual(
      left.map(({ id }) => id),
      [oauth.id],
    )
    const foreign = await newWallet(kit)
    for (const answer of [
      await foreign.api.delete(`/auth/credentials/${oauth.id}`),
      await foreign.api.post(`/auth/credentials/${oauth.id}/challenge`),
    ]) {
      expectError(answer, 404, 'REFERENCE_NOT_FOUND')
    }
  })

  test('CRED-18 two racing revocations never leave an account with none', async () => {
    const wallet = await newWallet(kit)
    const { device } = await logIn(wallet)
    const added = expectStatus(await signBoth(adding(wallet, passkeyBody()), device), 201)
    const revoking = [wallet.emailCredentialId, added.id].map(
      (id) =>
        (headers = {}) =>
          wallet.api.delete(`/auth/credentials/${id}`, { headers }),
    )
    const signed = await Promise.all(
      revoking.map(async (call) => {
        const { requestId } = expectStatus(await call(), 202)
        const stamp = 'sandbox-valid-signature'
        return { call, headers: signedHeaders({ stamp, requestId: requestId }) }
      }),
    )
    const answers = await Promise.all(signed.map(({ call, headers }) => call(headers)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 400])
    assert.equal((await listCredentials(wallet.api, wallet.accountId)).length, 1)
  })
})
