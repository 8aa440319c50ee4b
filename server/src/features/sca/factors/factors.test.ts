import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Body,
} from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import {
  challengeBytes,
  END_USER,
  enrolPasskey,
  enrolTotp,
  factorNamesOf,
  factorsOf,
  logIn,
  newLoggedInCustomer,
  newScaCustomer,
  ORIGIN,
  PHONE,
  RIGHT,
  scaOf,
  WRONG,
} from '../../../../test/kit/sca/sca.ts'
import {
  softwareAuthenticator,
  toWebauthnJson,
} from '../../../../test/kit/sca/software-authenticator.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startKit()

test('SCA-1 every operation answers 409 for a customer of another region or of none', async () => {
  const platform = await kit.platform()
  const totpLogin = { factor: 'TOTP', code: RIGHT, endUserIpAddress: END_USER }
  for (const region of ['US', undefined, 'GB', 'CH']) {
    const sca = await newScaCustomer(platform, { region })
    for (const answer of [
      await sca.get('/factors'),
      await sca.post('/factors', { type: 'TOTP' }),
      await sca.post('/factors/confirm', { type: 'TOTP', secret: 'x', code: RIGHT }),
      await sca.delete('/factors/unknown'),
      await sca.post('/login/start', { factor: 'SMS_OTP' }),
      await sca.post('/login/complete', totpLogin),
      await sca.post('/record-event', { eventType: 'FAILED_LOGIN_ATTEMPT' }),
      await sca.post('/factors/reset', { factor: 'SMS_OTP' }),
    ]) {
      const details = expectError(answer, 409, 'CONFLICT')
      assert.equal(details['reason'], 'SCA_NOT_REQUIRED')
    }
  }
  for (const region of ['DE', 'IS', 'NO', 'LI']) {
    assert.deepEqual(await factorNamesOf(await newScaCustomer(platform, { region })), ['SMS_OTP'])
  }
})

test('SCA-3 a missing or malformed customerId is refused, an unknown customer is not found', async () => {
  const platform = await kit.platform()
  const { api } = platform
  expectFields(await api.get('/sca/factors'), ['customerId'])
  expectFields(await scaOf(api, 'Customer:1').get('/factors'), ['customerId'])
  expectError(await scaOf(api, `Customer:${newUuid()}`).get('/factors'), 404, 'USER_NOT_FOUND')
  const foreign = await newScaCustomer(await kit.platform())
  expectError(await scaOf(api, foreign.customerId).get('/factors'), 404, 'USER_NOT_FOUND')
  const deleted = await newScaCustomer(platform)
  expectStatus(await api.delete(`/customers/${deleted.customerId}`), 200)
  expectError(await deleted.get('/factors'), 404, 'USER_NOT_FOUND')
  expectError(await deleted.post('/login/start', { factor: 'SMS_OTP' }), 404, 'USER_NOT_FOUND')
})

test('SCA-2 a malformed body is refused before the customer is looked up', async () => {
  const { api } = await kit.platform()
  const nobody = scaOf(api, `Customer:${newUuid()}`)
  expectFields(await nobody.post('/login/start', { factor: 'FAX' }), ['factor'])
  expectFields(await nobody.post('/record-event', { eventType: 'HELLO' }), ['eventType'])
})

test('SCA-11 SMS needs a number without a pending verification', async () => {
  const unregulated = await kit.platform({ kind: 'UNREGULATED' })
  const customer = { email: 'a@example.com', phoneNumber: PHONE }
  const sca = await newScaCustomer(unregulated, customer)
  assert.deepEqual(await factorNamesOf(sca), [])
  const path = `/customers/${sca.customerId}/verify-phone` as const
  expectStatus(await unregulated.api.post(path), 204)
  expectStatus(await unregulated.api.post(`${path}/confirm`, { code: RIGHT }), 200)
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP'])
  const silent = await newScaCustomer(await kit.platform(), { phoneNumber: undefined })
  assert.deepEqual(await factorNamesOf(silent), [])
})

test('SCA-11 the list is ordered, and only a passkey has a credential id', async () => {
  const sca = await newScaCustomer(await kit.platform())
  const { credentialId } = await enrolPasskey(sca)
  await enrolTotp(sca)
  assert.deepEqual(await factorsOf(sca), [
    { factor: 'SMS_OTP' },
    { factor: 'TOTP' },
    { factor: 'PASSKEY', credentialId },
  ])
})

test('SCA-12 SMS and unknown factors cannot be enrolled', async () => {
  const sca = await newScaCustomer(await kit.platform())
  for (const type of ['SMS_OTP', 'FAX', undefined]) {
    expectFields(await sca.post('/factors', { type }), ['type'])
  }
})

test('SCA-13 an enrolment shows one secret in three encodings; a new start replaces it; no Idempotency-Key stores it', async () => {
  const sca = await newLoggedInCustomer(await kit.platform({ name: 'Acme Pay' }), {
    email: 'jane@example.com',
  })
  const key = { 'idempotency-key': newUuid() }
  const first = expectStatus(await sca.post('/factors', { type: 'TOTP' }, key), 200)
  assert.match(text(first.secret), /^[0-9a-f]{40}$/)
  assert.match(text(first.secretBase32Encoded), /^[A-Z2-7]{32}$/)
  assert.equal(
    text(first.totpUri),
    `otpauth://totp/Acme%20Pay:jane%40example.com?issuer=Acme%20Pay&secret=${first.secretBase32Encoded}&algorithm=SHA1&digits=6&period=30`,
  )
  const again = await sca.post('/factors', { type: 'TOTP' }, key)
  assert.equal(again.headers.get('idempotent-replayed'), null)
  assert.notEqual(expectStatus(again, 200).secret, first.secret)
  const stale = { type: 'TOTP', secret: first.secret, code: RIGHT }
  const details = expectError(await sca.post('/factors/confirm', stale), 400, 'INVALID_INPUT')
  assert.equal(details['reason'], 'CHALLENGE_EXPIRED')
})

test('SCA-13 SCA-14 an enrolled app cannot be enrolled again; its recovery codes are shown once', async () => {
  const sca = await newLoggedInCustomer(await kit.platform())
  const { secret } = expectStatus(await sca.post('/factors', { type: 'TOTP' }), 200)
  const key = { 'idempotency-key': newUuid() }
  const confirmation = { type: 'TOTP', secret, code: RIGHT }
  const confirmed = expectStatus(await sca.post('/factors/confirm', confirmation, key), 200)
  const codes = items(confirmed.recoveryCodes).map(text)
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}$/)
  const again = await sca.post('/factors/confirm', confirmation, key)
  assert.doesNotMatch(again.text, /recoveryCodes/)
  expectError(again, 400, 'INVALID_INPUT')
  expectError(await sca.post('/factors', { type: 'TOTP' }), 409, 'CONFLICT')
})

test('SCA-14 five wrong codes, or ten minutes, void an enrolment; they are no failed logins', async () => {
  const platform = await kit.platform()
  const sca = await newLoggedInCustomer(platform)
  const begin = async () => expectStatus(await sca.post('/factors', { type: 'TOTP' }), 200).secret
  const confirm = (secret: unknown, code: string) =>
    sca.post('/factors/confirm', { type: 'TOTP', secret, code })
  const first = await begin()
  for (const attemptsLeft of [4, 3, 2, 1, 0]) {
    const details = expectError(await confirm(first, WRONG), 400, 'INVALID_INPUT')
    assert.deepEqual(details, { reason: 'INVALID_PROOF', attemptsLeft })
  }
  expectError(await confirm(first, RIGHT), 400, 'INVALID_INPUT')
  const second = await begin()
  await advance(platform, 600)
  await logIn(sca)
  expectError(await confirm(second, RIGHT), 400, 'INVALID_INPUT')
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP'])
  const event = await sca.post('/record-event', { eventType: 'FAILED_LOGIN_ATTEMPT' })
  assert.equal(expectStatus(event, 200).failedAttempts, 1)
})

test('SCA-15 the options describe the passkey; a second one is refused', async () => {
  const sca = await newLoggedInCustomer(await kit.platform())
  const started = expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
  assert.equal(started.relyingPartyId, 'localhost')
  assert.deepEqual(started.allowedOrigins, ['http://localhost'])
  const options = started.options as Body
  assert.equal(challengeBytes(options).length, 32)
  assert.equal(options['rp']?.['id'], 'localhost')
  assert.deepEqual(
    items(options['pubKeyCredParams']).map(({ alg }) => alg as unknown),
    [-7, -8, -257],
  )
  assert.equal(options['authenticatorSelection']?.['userVerification'], 'required')
  assert.equal(options['attestation'], 'none')
  await enrolPasskey(sca)
  expectError(await sca.post('/factors', { type: 'PASSKEY' }), 409, 'PASSKEY_ALREADY_ENROLLED')
})

test('SCA-7 only configured origins are accepted; a production platform needs one', async () => {
  const origins = ['https://app.acme.example', 'https://acme.example']
  const sca = await newLoggedInCustomer(await kit.platform({ passkeyOrigins: origins }))
  const started = expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
  assert.equal(started.relyingPartyId, 'app.acme.example')
  assert.deepEqual(started.allowedOrigins, origins)
  const production = await newScaCustomer(await kit.platform({ environment: 'PRODUCTION' }))
  const refused = await production.post('/factors', { type: 'PASSKEY' })
  const details = expectError(refused, 409, 'CONFLICT')
  assert.equal(details['reason'], 'PASSKEY_ORIGINS_NOT_CONFIGURED')
})

test('SCA-6 SCA-16 a registration that does not verify is refused and counted, also in the sandbox', async () => {
  const sca = await newLoggedInCustomer(await kit.platform())
  const authenticator = softwareAuthenticator()
  const { options } = expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
  const challenge = challengeBytes(options)
  const confirm = (ceremony: object, origin: string = ORIGIN) => {
    const credential = toWebauthnJson(authenticator.register({ challenge, ...ceremony }))
    return sca.post('/factors/confirm', { type: 'PASSKEY', origin, credential })
  }
  const malformed = { type: 'PASSKEY', origin: ORIGIN, credential: { id: 'x' } }
  expectFields(await sca.post('/factors/confirm', malformed), ['credential'])
  for (const answer of [
    await confirm({ challenge: Buffer.alloc(32) }),
    await confirm({ isUserVerified: false }),
    await confirm({ rpId: 'example.com' }),
    await confirm({}, 'http://localhost:3000'),
  ]) {
    assert.equal(expectError(answer, 400, 'INVALID_INPUT')['reason'], 'INVALID_PROOF')
  }
  const { factor } = expectStatus(await confirm({}), 200)
  assert.deepEqual(factor, { factor: 'PASSKEY', credentialId: authenticator.credentialId })
})

test('SCA-7 any port of localhost is accepted in the sandbox, as long as both name the same', async () => {
  const sca = await newLoggedInCustomer(await kit.platform())
  const origin = 'http://localhost:5173'
  const authenticator = softwareAuthenticator({ origin })
  const { options } = expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
  const credential = toWebauthnJson(authenticator.register({ challenge: challengeBytes(options) }))
  expectStatus(await sca.post('/factors/confirm', { type: 'PASSKEY', origin, credential }), 200)
})

test('SCA-16 of racing confirmations one succeeds', async () => {
  const sca = await newLoggedInCustomer(await kit.platform())
  const { options } = expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
  const challenge = challengeBytes(options)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => {
      const credential = toWebauthnJson(softwareAuthenticator().register({ challenge }))
      return sca.post('/factors/confirm', { type: 'PASSKEY', origin: ORIGIN, credential })
    }),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal((await factorNamesOf(sca)).filter((name) => name === 'PASSKEY').length, 1)
})

test('SCA-17 a passkey is removed by its own customer only, and may then be enrolled again', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const other = await newScaCustomer(platform, { phoneNumber: '+4915112345679' })
  const { credentialId } = await enrolPasskey(sca)
  expectError(await other.delete(`/factors/${credentialId}`), 404, 'REFERENCE_NOT_FOUND')
  expectError(await sca.delete('/factors/unknown'), 404, 'REFERENCE_NOT_FOUND')
  expectStatus(await sca.delete(`/factors/${credentialId}`), 204)
  expectError(await sca.delete(`/factors/${credentialId}`), 404, 'REFERENCE_NOT_FOUND')
  await enrolPasskey(sca)
})

test('SCA-8 CORE-90 neither secrets nor codes are in any table', async () => {
  const sca = await newLoggedInCustomer(await kit.platform())
  const { secret, secretBase32Encoded } = expectStatus(
    await sca.post('/factors', { type: 'TOTP' }),
    200,
  )
  const confirmation = { type: 'TOTP', secret, code: RIGHT }
  const { recoveryCodes } = expectStatus(await sca.post('/factors/confirm', confirmation), 200)
  await sca.post('/login/start', { factor: 'SMS_OTP' })
  const rows = await kit.florin.deps.db.read.many<{ row: string }>(
    sql`select t::text as row from sca_totp_factors t union all select c::text from sca_challenges c
        union all select e::text from sca_enrolments e`,
  )
  const [code] = items(recoveryCodes)
  const hex = (value: unknown): string => Buffer.from(String(value)).toString('hex')
  for (const { row } of rows) {
    for (const value of [secret, secretBase32Encoded, code]) {
      assert.ok(!row.includes(String(value)) && !row.includes(hex(value)))
    }
  }
})
