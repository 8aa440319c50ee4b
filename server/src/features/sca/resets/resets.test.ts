import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus } from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { BUSINESS } from '../../../../test/kit/customers.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import {
  enrolPasskey,
  enrolTotp,
  factorNamesOf,
  newScaCustomer,
  scaOf,
  startSmsLogin,
  type Sca,
} from '../../../../test/kit/sca/sca.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startKit()

const begin = async (sca: Sca, factor: string) =>
  expectStatus(await sca.post('/factors/reset', { factor }), 201)

const statusOf = async (sca: Sca, { resetId }: Readonly<{ resetId: string }>) =>
  expectStatus(await sca.get(`/factors/reset/${resetId}`), 200)

const complete = (sca: Sca, { resetId }: Readonly<{ resetId: string }>, body?: unknown) =>
  sca.post(`/factors/reset/${resetId}/complete`, body)

test('SCA-30 a reset needs an available factor and lasts half an hour', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  expectFields(await sca.post('/factors/reset', { factor: 'TOTP' }), ['factor'])
  const { now } = expectStatus(await platform.api.get('/sandbox/clock'), 200)
  const reset = await begin(sca, 'SMS_OTP')
  assert.match(reset.resetId, /^ScaReset:/)
  assert.ok(reset.verificationLink.includes(reset.livenessAccessToken))
  const lifetimeMs = Date.parse(reset.expiresAt) - Date.parse(now)
  assert.ok(lifetimeMs >= 1_800_000 && lifetimeMs < 1_810_000)
})

test('SCA-31 the sixth start in 24 hours is refused; refused starts do not count', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  for (let time = 0; time < 5; time += 1) {
    await begin(sca, 'SMS_OTP')
    expectFields(await sca.post('/factors/reset', { factor: 'PASSKEY' }), ['factor'])
  }
  const sixth = await sca.post('/factors/reset', { factor: 'SMS_OTP' })
  expectError(sixth, 429, 'RATE_LIMITED')
  assert.ok(Number(sixth.headers.get('retry-after')) > 86_000)
  await advance(platform, 86_400)
  await begin(sca, 'SMS_OTP')
})

test('SCA-32 a new start expires the unfinished reset of the same factor only', async () => {
  const sca = await newScaCustomer(await kit.platform())
  await enrolTotp(sca)
  const app = await begin(sca, 'TOTP')
  const first = await begin(sca, 'SMS_OTP')
  const second = await begin(sca, 'SMS_OTP')
  const statuses = await Promise.all([app, first, second].map((one) => statusOf(sca, one)))
  assert.deepEqual(
    statuses.map(({ status }) => status),
    ['INITIATED', 'EXPIRED', 'INITIATED'],
  )
})

const OUTCOMES = [
  ['Jane Doe 001', 'PENDING_REVIEW', 'nobody decides'],
  ['Jane Doe 002', 'REJECTED', 'refused'],
  ['Jane Doe 003', 'LIVENESS_PASSED', 'any other suffix passes'],
  ['Jane Doe', 'LIVENESS_PASSED', 'no suffix passes'],
] as const

for (const [fullName, outcome, reason] of OUTCOMES) {
  test(`SCA-33 the sandbox decides by the name: ${fullName} is ${outcome}, ${reason}`, async () => {
    const platform = await kit.platform()
    const sca = await newScaCustomer(platform, { fullName })
    const reset = await begin(sca, 'SMS_OTP')
    const at = async () => (await statusOf(sca, reset)).status
    assert.equal(await at(), 'INITIATED')
    await advance(platform, 5)
    assert.equal(await at(), 'PENDING_REVIEW')
    await advance(platform, 5)
    assert.equal(await at(), outcome)
    await advance(platform, 1_790)
    assert.equal(await at(), outcome === 'REJECTED' ? 'REJECTED' : 'EXPIRED')
  })
}

test('SCA-33 the sandbox decides on a business by its registration number', async () => {
  const platform = await kit.platform()
  const businessInfo = { ...BUSINESS.businessInfo, registrationNumber: 'HRB 12002' }
  const sca = await newScaCustomer(platform, { ...BUSINESS, businessInfo })
  const reset = await begin(sca, 'SMS_OTP')
  await advance(platform, 10)
  assert.equal((await statusOf(sca, reset)).status, 'REJECTED')
})

test('SCA-33 a reset of another customer is not found', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const other = await newScaCustomer(platform)
  const reset = await begin(sca, 'SMS_OTP')
  const unknown = { resetId: `ScaReset:${newUuid()}` }
  for (const [who, what] of [
    [other, reset],
    [sca, unknown],
    [scaOf((await kit.platform()).api, sca.customerId), reset],
  ] as const) {
    const got = await who.get(`/factors/reset/${what.resetId}`)
    assert.equal(got.status, 404, got.text)
    assert.equal((await complete(who, what)).status, 404)
  }
})

test('SCA-34 SCA-35 SCA-36 an approved reset removes the app, which may be enrolled again', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  await enrolTotp(sca)
  const reset = await begin(sca, 'TOTP')
  const early = expectError(await complete(sca, reset), 400, 'INVALID_INPUT')
  assert.equal(early['status'], 'INITIATED')
  await advance(platform, 10)
  assert.equal((await statusOf(sca, reset)).enrollmentStatus, 'PENDING')
  expectStatus(await complete(sca, reset, { mobile: { number: 5 } }), 204)
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP'])
  const after = await statusOf(sca, reset)
  assert.equal(after.status, 'COMPLETED')
  assert.equal(after.enrollmentStatus, 'PENDING')
  assert.ok(after.completedAt)
  assert.equal(expectError(await complete(sca, reset), 400, 'INVALID_INPUT')['status'], 'COMPLETED')
  await enrolTotp(sca)
  assert.equal((await statusOf(sca, reset)).enrollmentStatus, 'COMPLETED')
})

test('SCA-34 of racing completions one succeeds', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  await enrolPasskey(sca)
  const reset = await begin(sca, 'PASSKEY')
  await advance(platform, 10)
  const answers = await Promise.all(Array.from({ length: 8 }, () => complete(sca, reset)))
  assert.equal(answers.filter(({ status }) => status === 204).length, 1)
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP'])
})

test('SCA-35 a lost number is replaced by one that counts as verified', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED' })
  const { api } = platform
  const sca = await newScaCustomer(platform, { email: 'a@example.com' })
  const path = `/customers/${sca.customerId}` as const
  expectStatus(await api.post(`${path}/verify-phone`), 204)
  expectStatus(await api.post(`${path}/verify-phone/confirm`, { code: '123456' }), 200)
  const reset = await begin(sca, 'SMS_OTP')
  const challengeId = await startSmsLogin(sca)
  await advance(platform, 10)
  const nothing = { countryCode: null, number: null }
  const mistaken = [{ mobile: '+491709999999' }, { mobile: [] }, { mobile: 5 }]
  for (const none of [undefined, {}, { mobile: null }, { mobile: nothing }, ...mistaken]) {
    expectFields(await complete(sca, reset, none), ['mobile.countryCode', 'mobile.number'])
  }
  const bad = { mobile: { countryCode: '49', number: '12a4' } }
  expectFields(await complete(sca, reset, bad), ['mobile.countryCode', 'mobile.number'])
  const numeric = { mobile: { countryCode: '+49', number: 1_709_999_999 } }
  expectFields(await complete(sca, reset, numeric), ['mobile.number'])
  const long = { mobile: { countryCode: '+4912', number: '123456789012' } }
  expectFields(await complete(sca, reset, long), ['mobile.number'])
  const mobile = { countryCode: '+49', number: '1709999999' }
  expectStatus(await complete(sca, reset, { mobile }), 204)
  const customer = expectStatus(await api.get(path), 200)
  assert.equal(customer.phoneNumber, '+491709999999')
  assert.equal(customer.contactVerification?.phone, 'VERIFIED')
  assert.equal((await statusOf(sca, reset)).enrollmentStatus, undefined)
  const stale = { factor: 'SMS_OTP', challengeId, code: '123456', endUserIpAddress: '::1' }
  expectError(await sca.post('/login/complete', stale), 400, 'INVALID_INPUT')
})
