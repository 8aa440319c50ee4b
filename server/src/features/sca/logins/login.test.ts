import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Answer,
} from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  completion,
  END_USER,
  enrolPasskey,
  enrolTotp,
  logIn,
  newScaCustomer,
  passkeyProof,
  RIGHT,
  startSmsLogin,
  totpLogIn,
  WRONG,
  type Sca,
} from '../../../../test/kit/sca/sca.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startKit()
const DAYS_180_MS = 15_552_000_000

const fail = (sca: Sca) => sca.post('/record-event', { eventType: 'FAILED_LOGIN_ATTEMPT' })

test('SCA-18 the answer to a started login holds the fields of its factor only', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const { now } = expectStatus(await platform.api.get('/sandbox/clock'), 200)
  const sms = expectStatus(await sca.post('/login/start', { factor: 'SMS_OTP' }), 200)
  assert.deepEqual(Object.keys(sms).toSorted(), ['challengeId', 'expiresAt', 'factor'])
  assert.match(text(sms.challengeId), /^ScaChallenge:/)
  const lifetimeMs = Date.parse(text(sms.expiresAt)) - Date.parse(now)
  assert.ok(lifetimeMs >= 300_000 && lifetimeMs < 310_000)
  for (const factor of ['TOTP', 'PASSKEY']) {
    expectFields(await sca.post('/login/start', { factor }), ['factor'])
  }
  await enrolTotp(sca)
  const { credentialId } = await enrolPasskey(sca)
  const totp = expectStatus(await sca.post('/login/start', { factor: 'TOTP' }), 200)
  assert.deepEqual(totp, { factor: 'TOTP' })
  const passkey = expectStatus(await sca.post('/login/start', { factor: 'PASSKEY' }), 200)
  assert.equal(passkey.relyingPartyId, 'localhost')
  assert.deepEqual(passkey.allowedOrigins, ['http://localhost'])
  const options = passkey.passkeyOptions
  assert.equal(options?.['rpId'], 'localhost')
  assert.equal(options['userVerification'], 'required')
  assert.deepEqual(options['allowCredentials'], [{ type: 'public-key', id: credentialId }])
})

test('SCA-4 SCA-9 SCA-19 a malformed completion is refused by its fields', async () => {
  const sca = await newScaCustomer(await kit.platform())
  const challengeId = await startSmsLogin(sca)
  const complete = (change: object) =>
    sca.post('/login/complete', { ...completion(challengeId), ...change })
  expectFields(await complete({ challengeId: undefined }), ['challengeId'])
  expectFields(await complete({ challengeId: null }), ['challengeId'])
  expectFields(await complete({ code: undefined }), ['code'])
  expectFields(await complete({ code: null }), ['code'])
  expectFields(await complete({ passkeyAssertion: {}, origin: 'http://localhost' }), ['code'])
  expectFields(await complete({ code: null, passkeyAssertion: {} }), ['origin'])
  expectFields(await complete({ endUserIpAddress: undefined }), ['endUserIpAddress'])
  const zoned = ['fe80::1%eth0', '::ffff:1.2.3.4%eth0']
  for (const endUserIpAddress of ['localhost', '1.2.3', '1.2.3.4.5', '', ...zoned]) {
    expectFields(await complete({ endUserIpAddress }), ['endUserIpAddress'])
  }
  const origin = 'http://localhost'
  const foreign = await complete({ code: null, passkeyAssertion: { id: 'x' }, origin })
  expectFields(foreign, ['passkeyAssertion'])
  expectStatus(await complete({ endUserIpAddress: '2001:db8::1', passkeyAssertion: null }), 200)
})

test('SCA-5 SCA-19 a login that was replaced, used, begun with another factor or is too old counts as expired', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  await enrolTotp(sca)
  const expired = (answer: Answer) => {
    const details = expectError(answer, 400, 'INVALID_INPUT')
    assert.deepEqual(details, { reason: 'CHALLENGE_EXPIRED' })
  }
  const complete = (challengeId: unknown, change: object = {}) =>
    sca.post('/login/complete', { ...completion(challengeId as never), ...change })
  expired(await complete(`ScaChallenge:${newUuid()}`))
  const first = await startSmsLogin(sca)
  const second = await startSmsLogin(sca)
  expired(await complete(first))
  expired(await complete('anything'))
  expired(await complete(second, { factor: 'TOTP' }))
  expectStatus(await complete(second), 200)
  expired(await complete(second))
  const third = await startSmsLogin(sca)
  await advance(platform, 300)
  expired(await complete(third))
  assert.equal(expectStatus(await fail(sca), 200).failedAttempts, 1, 'none of them counted')
})

test('SCA-20 a session lasts 180 days, a later login renews it, and failures are cleared', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  await fail(sca)
  const first = await logIn(sca)
  assert.equal(first.status, 'SUCCESS')
  const { now } = expectStatus(await platform.api.get('/sandbox/clock'), 200)
  const lifetimeMs = Date.parse(first.sessionExpiresAt) - Date.parse(now)
  assert.ok(lifetimeMs <= DAYS_180_MS && lifetimeMs > DAYS_180_MS - 10_000)
  await advance(platform, 3600)
  const second = await logIn(sca)
  const laterMs = Date.parse(second.sessionExpiresAt) - Date.parse(first.sessionExpiresAt)
  assert.ok(laterMs >= 3_600_000)
  assert.equal(expectStatus(await fail(sca), 200).failedAttempts, 1)
})

test('SCA-21 a recovery code replaces an app’s code once; in the sandbox the code is always the same', async () => {
  const sca = await newScaCustomer(await kit.platform())
  const codes = items(await enrolTotp(sca)).map(text)
  expectStatus(await totpLogIn(sca, RIGHT), 200)
  expectStatus(await totpLogIn(sca, RIGHT), 200)
  for (const code of codes.slice(0, 2)) {
    expectStatus(await totpLogIn(sca, code), 200)
    expectError(await totpLogIn(sca, code), 400, 'INVALID_INPUT')
  }
  const [, , unused = ''] = codes
  const challengeId = await startSmsLogin(sca)
  const bySms = await sca.post('/login/complete', completion(challengeId, unused))
  expectError(bySms, 400, 'INVALID_INPUT')
})

test('SCA-6 a passkey logs in when origin, challenge and signature are right', async () => {
  const sca = await newScaCustomer(await kit.platform())
  const authenticator = await enrolPasskey(sca)
  const { passkeyOptions } = expectStatus(
    await sca.post('/login/start', { factor: 'PASSKEY' }),
    200,
  )
  const complete = (proof: object) =>
    sca.post('/login/complete', { factor: 'PASSKEY', endUserIpAddress: END_USER, ...proof })
  const right = passkeyProof(authenticator, passkeyOptions)
  for (const wrong of [
    { ...right, origin: 'http://localhost:3000' },
    { ...right, passkeyAssertion: {} },
    passkeyProof(authenticator, { challenge: 'AAAA' } as never),
  ]) {
    const details = expectError(await complete(wrong), 400, 'INVALID_INPUT')
    assert.equal(details['reason'], 'INVALID_PROOF')
  }
  expectFields(await complete({ code: RIGHT }), ['code'])
  expectStatus(await complete(passkeyProof(authenticator, passkeyOptions)), 200)
})

const LADDER = [
  [5, 900],
  [6, 1800],
  [7, 3600],
  [8, 86_400],
] as const

test('SCA-22 SCA-23 SCA-29 each wrong proof from the fifth on locks for longer, and the ninth suspends', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const complete = async (code: string) =>
    sca.post('/login/complete', completion(await startSmsLogin(sca), code))
  for (const failedAttempts of [1, 2, 3, 4]) {
    const details = expectError(await complete(WRONG), 400, 'INVALID_INPUT')
    assert.deepEqual(details, { reason: 'INVALID_PROOF', failedAttempts })
  }
  for (const [failedAttempts, seconds] of LADDER) {
    const details = expectError(await complete(WRONG), 400, 'INVALID_INPUT')
    assert.equal(details['failedAttempts'], failedAttempts)
    const { now } = expectStatus(await platform.api.get('/sandbox/clock'), 200)
    const lockedMs = Date.parse(text(details['lockedUntil'])) - Date.parse(now)
    assert.ok(lockedMs <= seconds * 1_000 && lockedMs > (seconds - 10) * 1_000)
    const locked = expectError(await complete(RIGHT), 423, 'ACCOUNT_LOCKED')
    assert.deepEqual(locked, {
      suspended: false,
      failedAttempts,
      lockedUntil: details['lockedUntil'],
    })
    expectError(await fail(sca), 423, 'ACCOUNT_LOCKED')
    await advance(platform, seconds)
  }
  const ninth = expectError(await complete(WRONG), 400, 'INVALID_INPUT')
  assert.deepEqual(ninth, { reason: 'INVALID_PROOF', failedAttempts: 9 })
  await advance(platform, 31_536_000)
  const suspended = expectError(await complete(RIGHT), 423, 'ACCOUNT_LOCKED')
  assert.deepEqual(suspended, { suspended: true, failedAttempts: 9 })
})

test('SCA-25 an event of an unknown type is refused', async () => {
  const sca = await newScaCustomer(await kit.platform())
  for (const body of [{ eventType: 'PASSWORD_LOST' }, { eventType: 1 }, {}]) {
    expectFields(await sca.post('/record-event', body), ['eventType'])
  }
  const [error] = expectFields(await sca.post('/record-event', { eventType: '' }), ['eventType'])
  assert.deepEqual(error?.['constraint']?.['enum'], [
    'RESET_PASSWORD_COMPLETED',
    'FAILED_LOGIN_ATTEMPT',
  ])
  assert.equal(expectStatus(await fail(sca), 200).failedAttempts, 1, 'nothing was counted')
})

test('SCA-26 SCA-27 SCA-28 the platform reports failures and a new password', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const challengeId = await startSmsLogin(sca)
  for (const failedAttempts of [1, 2, 3, 4]) {
    assert.deepEqual(expectStatus(await fail(sca), 200), {
      eventType: 'FAILED_LOGIN_ATTEMPT',
      suspended: false,
      failedAttempts,
    })
  }
  const fifth = expectStatus(await fail(sca), 200)
  assert.equal(fifth.failedAttempts, 5)
  assert.ok(fifth.lockedUntil)
  expectError(await fail(sca), 423, 'ACCOUNT_LOCKED')
  const reset = await sca.post('/record-event', { eventType: 'RESET_PASSWORD_COMPLETED' })
  assert.deepEqual(expectStatus(reset, 200), {
    eventType: 'RESET_PASSWORD_COMPLETED',
    suspended: false,
    failedAttempts: 0,
  })
  const stale = await sca.post('/login/complete', completion(challengeId))
  assert.equal(expectError(stale, 400, 'INVALID_INPUT')['reason'], 'CHALLENGE_EXPIRED')
  await logIn(sca)
})

const recordReset = async (sca: Sca) => {
  const answer = await sca.post('/record-event', { eventType: 'RESET_PASSWORD_COMPLETED' })
  const { eventType: _named, ...state } = expectStatus(answer, 200)
  return state
}

const failTimes = async (sca: Sca, times: number) => {
  for (let time = 0; time < times; time += 1) expectStatus(await fail(sca), 200)
}

test('scenario 18, SCA-28 a new password clears the count three times in 24 hours, and ends the session each time', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  for (let round = 0; round < 3; round += 1) {
    await failTimes(sca, 5)
    assert.deepEqual(await recordReset(sca), { suspended: false, failedAttempts: 0 })
    assert.deepEqual(await recordReset(sca), { suspended: false, failedAttempts: 0 })
  }
  await logIn(sca)
  const challengeId = await startSmsLogin(sca)
  await failTimes(sca, 5)
  const fourth = await recordReset(sca)
  assert.equal(fourth.suspended, false)
  assert.equal(fourth.failedAttempts, 5)
  assert.ok(fourth.lockedUntil)
  const refused = await sca.post('/login/complete', completion(challengeId))
  expectError(refused, 423, 'ACCOUNT_LOCKED')
  await advance(platform, 900)
  const stale = await sca.post('/login/complete', completion(challengeId))
  expectError(stale, 400, 'INVALID_INPUT')
  const unfresh = await sca.post('/factors', { type: 'TOTP' })
  expectError(unfresh, 409, 'SCA_SESSION_REQUIRED')
  await advance(platform, 86_400)
  assert.deepEqual(await recordReset(sca), { suspended: false, failedAttempts: 0 })
})

async function completeReset(platform: TestPlatform, sca: Sca, factor: string): Promise<void> {
  const { resetId } = expectStatus(await sca.post('/factors/reset', { factor }), 201)
  await advance(platform, 10)
  const mobile = { countryCode: '+49', number: '15112345678' }
  expectStatus(await sca.post(`/factors/reset/${resetId}/complete`, { mobile }), 204)
}

test('SCA-28 a completed factor reset allows one more clearing', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const failAndClear = async () => {
    await failTimes(sca, 1)
    return (await recordReset(sca)).failedAttempts as unknown
  }
  for (let time = 0; time < 3; time += 1) assert.equal(await failAndClear(), 0)
  assert.equal(await failAndClear(), 1)
  await completeReset(platform, sca, 'SMS_OTP')
  assert.equal(await failAndClear(), 0, 'the reset stands for it')
  assert.equal(await failAndClear(), 1, 'once')
})

test('scenario 6, SCA-28 SCA-36 a suspension outlives every new password and ends with a factor reset', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  await failTimes(sca, 5)
  for (const [, seconds] of LADDER) {
    await advance(platform, seconds)
    await failTimes(sca, 1)
  }
  const complete = async () => sca.post('/login/complete', completion(await startSmsLogin(sca)))
  const suspended = { suspended: true, failedAttempts: 9 }
  assert.deepEqual(expectError(await complete(), 423, 'ACCOUNT_LOCKED'), suspended)
  assert.deepEqual(await recordReset(sca), suspended)
  assert.deepEqual(expectError(await complete(), 423, 'ACCOUNT_LOCKED'), suspended)
  await completeReset(platform, sca, 'SMS_OTP')
  expectStatus(await complete(), 200)
})

test('SCA-36 a completed factor reset lifts a lock', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  await enrolTotp(sca)
  await failTimes(sca, 5)
  await completeReset(platform, sca, 'TOTP')
  await logIn(sca)
})

test('SCA-24 CORE-44 racing wrong proofs are each counted, up to the lock', async () => {
  const sca = await newScaCustomer(await kit.platform())
  const challengeId = await startSmsLogin(sca)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => sca.post('/login/complete', completion(challengeId, WRONG))),
  )
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 400).length, 5)
  assert.equal(statuses.filter((status) => status === 423).length, 15)
  const counts = answers.flatMap(({ status, body }) =>
    status === 400 ? [body.details?.['failedAttempts'] as unknown as number] : [],
  )
  assert.deepEqual(counts.toSorted(), [1, 2, 3, 4, 5])
})

test('SCA-24 of racing right proofs one logs in', async () => {
  const sca = await newScaCustomer(await kit.platform())
  const challengeId = await startSmsLogin(sca)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => sca.post('/login/complete', completion(challengeId))),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('CORE-41 a wrong proof repeated under its key is counted once', async () => {
  const sca = await newScaCustomer(await kit.platform())
  const challengeId = await startSmsLogin(sca)
  const key = { 'idempotency-key': newUuid() }
  for (let time = 0; time < 3; time += 1) {
    const answer = await sca.post('/login/complete', completion(challengeId, WRONG), key)
    assert.equal(expectError(answer, 400, 'INVALID_INPUT')['failedAttempts'], 1)
  }
})

test('SCA-10 beyond ten messages in ten minutes or thirty in a day a login is refused and issues nothing', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const start = () => sca.post('/login/start', { factor: 'SMS_OTP' })
  let latest = await startSmsLogin(sca)
  for (let sent = 1; sent < 10; sent += 1) latest = await startSmsLogin(sca)
  const refused = await start()
  expectError(refused, 429, 'RATE_LIMITED')
  const seconds = refused.headers.get('retry-after') ?? ''
  assert.match(seconds, /^\d+$/)
  assert.ok(Number(seconds) > 590 && Number(seconds) <= 600)
  expectStatus(await sca.post('/login/complete', completion(latest)), 200)
  for (let round = 0; round < 2; round += 1) {
    await advance(platform, 600)
    for (let sent = 0; sent < 10; sent += 1) await startSmsLogin(sca)
  }
  await advance(platform, 600)
  const day = await start()
  expectError(day, 429, 'RATE_LIMITED')
  assert.ok(Number(day.headers.get('retry-after')) > 80_000)
})

test('SCA-9 CORE-92 a login leaves an audit entry with the customer and the end user’s address', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  await logIn(sca)
  const lines = items(await operate(kit, `audit list --platform ${platform.platformId}`))
  const login = lines.find(({ action }) => text(action) === 'completeScaLogin')
  assert.equal(login?.['resource'], sca.customerId)
  assert.equal(login?.['note'], `end user at ${END_USER}`)
  for (let time = 0; time < 5; time += 1) await fail(sca)
  const after = items(await operate(kit, `audit list --platform ${platform.platformId}`))
  assert.ok(after.some(({ action }) => text(action) === 'lockScaLogin'))
})

test('SCA-8 a production platform without an SMS gateway answers that it cannot send', async () => {
  const sca = await newScaCustomer(await kit.platform({ environment: 'PRODUCTION' }))
  expectError(await sca.post('/login/start', { factor: 'SMS_OTP' }), 501, 'NOT_IMPLEMENTED')
})
