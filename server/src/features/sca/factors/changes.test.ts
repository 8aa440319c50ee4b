/** Changes of a customer's factors need a fresh login and end sessions and pending proofs (SCA-57 to SCA-61, CUST-68). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text, type Answer } from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { CUSTOMERS, newAccount } from '../../../../test/kit/accounts/external-accounts.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  challengeBytes,
  completion,
  END_USER,
  enrolPasskey,
  enrolTotp,
  factorNamesOf,
  logIn,
  newScaCustomer,
  ORIGIN,
  passkeyProof,
  PHONE,
  RIGHT,
  startSmsLogin,
  totpLogIn,
  type Sca,
} from '../../../../test/kit/sca/sca.ts'
import { newWallet } from '../../../../test/kit/wallets/signing-wallets.ts'
import {
  softwareAuthenticator,
  toWebauthnJson,
} from '../../../../test/kit/sca/software-authenticator.ts'

const kit = await startKit()
const OTHER_PHONE = '+4915187654321'

const patch = (platform: TestPlatform, { customerId }: Sca, change: object) =>
  platform.api.patch(`/customers/${customerId}`, { customerType: 'INDIVIDUAL', ...change })

const unfresh = (answer: Answer): void => {
  const details = expectError(answer, 409, 'SCA_SESSION_REQUIRED')
  assert.deepEqual(details, { reason: 'FRESH_LOGIN_REQUIRED' })
}

const expired = (answer: Answer): void => {
  const details = expectError(answer, 400, 'INVALID_INPUT')
  assert.equal(details['reason'], 'CHALLENGE_EXPIRED')
}

async function newAddress(platform: TestPlatform, { customerId }: Sca): Promise<string> {
  const account = await newAccount(platform.api, {
    customerId,
    currency: 'USDC',
    ownershipType: 'THIRD_PARTY',
    accountInfo: { accountType: 'SOLANA_WALLET', address: newWallet().address },
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
  })
  return `${CUSTOMERS}/${account.id}`
}

test('scenario 3, SCA-57 an enrolment and its confirmation need a login of the last ten minutes', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  unfresh(await sca.post('/factors', { type: 'TOTP' }))
  unfresh(await sca.post('/factors', { type: 'PASSKEY' }))
  unfresh(await sca.post('/factors/confirm', { type: 'TOTP', secret: 'x', code: RIGHT }))
  await logIn(sca)
  const start = async () => expectStatus(await sca.post('/factors', { type: 'TOTP' }), 200)
  await start()
  await advance(platform, 540)
  const { secret } = await start()
  await advance(platform, 61)
  unfresh(await sca.post('/factors', { type: 'TOTP' }))
  const confirmation = { type: 'TOTP', secret, code: RIGHT }
  unfresh(await sca.post('/factors/confirm', confirmation))
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP'])
  await logIn(sca)
  const { recoveryCodes } = expectStatus(await sca.post('/factors/confirm', confirmation), 200)
  const [code = ''] = items(recoveryCodes).map(text)
  await advance(platform, 601)
  unfresh(await sca.post('/factors', { type: 'PASSKEY' }))
  expectStatus(await totpLogIn(sca, code), 200)
  expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
})

test('scenario 4, SCA-57 SCA-17 a passkey is removed only after a login; an unknown one is not found before that check', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const { credentialId } = await enrolPasskey(sca)
  await advance(platform, 601)
  expectError(await sca.delete('/factors/unknown'), 404, 'REFERENCE_NOT_FOUND')
  expectError(await sca.post('/factors', { type: 'PASSKEY' }), 409, 'PASSKEY_ALREADY_ENROLLED')
  unfresh(await sca.delete(`/factors/${credentialId}`))
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP', 'PASSKEY'])
  await logIn(sca)
  expectStatus(await sca.delete(`/factors/${credentialId}`), 204)
  expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
})

test('SCA-57 an enrolled app is a conflict before the fresh login is checked', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  await enrolTotp(sca)
  await advance(platform, 601)
  const details = expectError(await sca.post('/factors', { type: 'TOTP' }), 409, 'CONFLICT')
  assert.equal(details['reason'], 'TOTP_ALREADY_ENROLLED')
})

test('SCA-57 the first factor needs no login, the second one needs a login with the first', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform, { phoneNumber: undefined })
  const { secret } = expectStatus(await sca.post('/factors', { type: 'TOTP' }), 200)
  const confirmation = { type: 'TOTP', secret, code: RIGHT }
  expectStatus(await sca.post('/factors/confirm', confirmation), 200)
  unfresh(await sca.post('/factors', { type: 'PASSKEY' }))
  unfresh(await patch(platform, sca, { phoneNumber: PHONE }))
  expectStatus(await totpLogIn(sca), 200)
  await enrolPasskey(sca)
})

test('SCA-57 a login whose session has ended is not fresh', async () => {
  const sca = await newScaCustomer(await kit.platform())
  await logIn(sca)
  expectStatus(await sca.post('/record-event', { eventType: 'RESET_PASSWORD_COMPLETED' }), 200)
  unfresh(await sca.post('/factors', { type: 'TOTP' }))
})

const PHONES = [
  [OTHER_PHONE, 'another number'],
  [null, 'none'],
] as const

for (const [phoneNumber, what] of PHONES) {
  test(`CUST-68 SCA-57 a phone number becomes ${what} only after a fresh login, without which nothing of the body changes`, async () => {
    const platform = await kit.platform()
    const sca = await newScaCustomer(platform)
    const change = { phoneNumber, fullName: 'Ann New' }
    unfresh(await patch(platform, sca, change))
    const before = expectStatus(await platform.api.get(`/customers/${sca.customerId}`), 200)
    assert.equal(before.phoneNumber, PHONE)
    assert.notEqual(before.fullName, 'Ann New')
    expectStatus(await patch(platform, sca, { phoneNumber: PHONE, fullName: 'Ann Newer' }), 200)
    await logIn(sca)
    const after = expectStatus(await patch(platform, sca, change), 200)
    assert.equal(after.phoneNumber, phoneNumber ?? undefined)
    assert.equal(after.fullName, 'Ann New')
    assert.deepEqual(await factorNamesOf(sca), [])
  })
}

test('CUST-68 outside SCA, and without a usable factor, a number changes freely', async () => {
  const platform = await kit.platform()
  const outside = await newScaCustomer(platform, { region: 'US' })
  expectStatus(await patch(platform, outside, { phoneNumber: OTHER_PHONE }), 200)
  const silent = await newScaCustomer(platform, { phoneNumber: undefined })
  expectStatus(await patch(platform, silent, { phoneNumber: PHONE }), 200)
  assert.deepEqual(await factorNamesOf(silent), [], 'also a first number is unproven')
  expectStatus(await patch(platform, silent, { phoneNumber: OTHER_PHONE }), 200)
})

test('SCA-58 a new number ends the session, started logins, enrolments and challenges about trust', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const sca = await newScaCustomer(platform)
  await enrolTotp(sca)
  const path = await newAddress(platform, sca)
  const { options } = expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
  const { scaChallenge } = expectStatus(await api.post(`${path}/trust`), 200)
  const challengeId = await startSmsLogin(sca)
  expectStatus(await patch(platform, sca, { phoneNumber: OTHER_PHONE }), 200)
  expired(await sca.post('/login/complete', completion(challengeId)))
  const trust = { challengeId: scaChallenge?.['id'], code: RIGHT }
  expired(await api.post(`${path}/trust/confirm`, trust))
  unfresh(await patch(platform, sca, { phoneNumber: PHONE }))
  expectStatus(await totpLogIn(sca), 200)
  const credential = toWebauthnJson(
    softwareAuthenticator().register({ challenge: challengeBytes(options) }),
  )
  expired(await sca.post('/factors/confirm', { type: 'PASSKEY', origin: ORIGIN, credential }))
})

test('SCA-61 SCA-11 SCA-18 SCA-30 an unproven number is not listed, and the code of a login proves it', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const sca = await newScaCustomer(platform)
  const path = await newAddress(platform, sca)
  await logIn(sca)
  expectStatus(await patch(platform, sca, { phoneNumber: OTHER_PHONE }), 200)
  assert.deepEqual(await factorNamesOf(sca), [])
  const trust = expectError(await api.post(`${path}/trust`), 409, 'CONFLICT')
  assert.equal(trust['reason'], 'NO_SCA_FACTOR')
  expectError(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 400, 'INVALID_INPUT')
  const challengeId = await startSmsLogin(sca)
  const wrong = await sca.post('/login/complete', completion(challengeId, '000000'))
  expectError(wrong, 400, 'INVALID_INPUT')
  assert.deepEqual(await factorNamesOf(sca), [])
  const opened = expectStatus(await sca.post('/login/complete', completion(challengeId)), 200)
  assert.ok(opened.sessionExpiresAt)
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP'])
  expectStatus(await api.post(`${path}/trust`), 200)
})

test('SCA-61 CONT-9 where the region requires a verified number, contact verification proves it', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED' })
  const { api } = platform
  const sca = await newScaCustomer(platform, { email: 'a@example.com' })
  const path = `/customers/${sca.customerId}/verify-phone` as const
  const verify = async () => {
    expectStatus(await api.post(path), 204)
    expectStatus(await api.post(`${path}/confirm`, { code: RIGHT }), 200)
  }
  await verify()
  await logIn(sca)
  const changed = expectStatus(await patch(platform, sca, { phoneNumber: OTHER_PHONE }), 200)
  assert.equal(changed.contactVerification?.phone, 'PENDING')
  assert.deepEqual(await factorNamesOf(sca), [])
  expectError(await sca.post('/login/start', { factor: 'SMS_OTP' }), 400, 'INVALID_INPUT')
  await verify()
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP'])
})

test('SCA-36 SCA-58 a completed reset ends logins and enrolments, and its number counts as proven', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const sca = await newScaCustomer(platform)
  await logIn(sca)
  const path = await newAddress(platform, sca)
  const { scaChallenge } = expectStatus(await api.post(`${path}/trust`), 200)
  const { resetId } = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
  const { secret } = expectStatus(await sca.post('/factors', { type: 'TOTP' }), 200)
  await advance(platform, 10)
  const mobile = { countryCode: '+49', number: '15187654321' }
  expectStatus(await sca.post(`/factors/reset/${resetId}/complete`, { mobile }), 204)
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP'])
  unfresh(await sca.post('/factors', { type: 'TOTP' }))
  const trust = { challengeId: scaChallenge?.['id'], code: RIGHT }
  expired(await api.post(`${path}/trust/confirm`, trust))
  await logIn(sca)
  expired(await sca.post('/factors/confirm', { type: 'TOTP', secret, code: RIGHT }))
})

test('SCA-60 a passkey enrolled in place of another does not prove the other’s challenges', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const sca = await newScaCustomer(platform)
  const former = await enrolPasskey(sca)
  const path = await newAddress(platform, sca)
  const { scaChallenge } = expectStatus(await api.post(`${path}/trust`), 200)
  const started = await sca.post('/login/start', { factor: 'PASSKEY' })
  const { passkeyOptions } = expectStatus(started, 200)
  expectStatus(await sca.delete(`/factors/${former.credentialId}`), 204)
  const replace = async () => {
    const authenticator = softwareAuthenticator()
    const { options } = expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
    const challenge = challengeBytes(options)
    const credential = toWebauthnJson(authenticator.register({ challenge }))
    const body = { type: 'PASSKEY', origin: ORIGIN, credential }
    expectStatus(await sca.post('/factors/confirm', body), 200)
    return authenticator
  }
  const later = await replace()
  const invalid = (answer: Answer): void => {
    const details = expectError(answer, 400, 'INVALID_INPUT')
    assert.equal(details['reason'], 'INVALID_PROOF', answer.text)
  }
  for (const authenticator of [later, former]) {
    const login = passkeyProof(authenticator, passkeyOptions)
    const body = { factor: 'PASSKEY', endUserIpAddress: END_USER, ...login }
    invalid(await sca.post('/login/complete', body))
    const proof = passkeyProof(authenticator, scaChallenge?.['passkeyAssertionOptions'])
    const confirmation = { challengeId: scaChallenge?.['id'], ...proof }
    invalid(await api.post(`${path}/trust/confirm`, confirmation))
  }
})

test('SCA-60 a factor that was enrolled after the challenge does not prove it', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const sca = await newScaCustomer(platform)
  const path = await newAddress(platform, sca)
  const { scaChallenge } = expectStatus(await api.post(`${path}/trust`), 200)
  const later = await enrolPasskey(sca)
  const proof = passkeyProof(later, { challenge: 'AAAA' } as never)
  const confirmation = { challengeId: scaChallenge?.['id'], ...proof }
  expectError(await api.post(`${path}/trust/confirm`, confirmation), 400, 'INVALID_INPUT')
})

test('SCA-59 every change of factors leaves an audit entry with the factor and the masked contact held before', async () => {
  const platform = await kit.platform()
  const email = 'ann@example.com'
  const sca = await newScaCustomer(platform, { email })
  const { credentialId } = await enrolPasskey(sca)
  await enrolTotp(sca)
  expectStatus(await sca.delete(`/factors/${credentialId}`), 204)
  const { resetId } = expectStatus(await sca.post('/factors/reset', { factor: 'TOTP' }), 201)
  await advance(platform, 10)
  expectStatus(await sca.post(`/factors/reset/${resetId}/complete`), 204)
  await logIn(sca)
  expectStatus(await patch(platform, sca, { phoneNumber: OTHER_PHONE }), 200)
  const lines = items(await operate(kit, `audit list --platform ${platform.platformId}`))
  const before = 'contact before: +49…678, a…@example.com'
  const ACTIONS = ['enrollScaFactor', 'removeScaFactor', 'startScaReset', 'completeScaReset']
  const changes = lines.filter(({ action }) =>
    [...ACTIONS, 'changeScaPhoneNumber'].includes(text(action)),
  )
  assert.deepEqual(changes.map(({ action, note }) => [text(action), text(note)]).toSorted(), [
    ['changeScaPhoneNumber', `SMS_OTP; ${before}`],
    ['completeScaReset', `TOTP; ${before}`],
    ['enrollScaFactor', `PASSKEY; ${before}`],
    ['enrollScaFactor', `TOTP; ${before}`],
    ['removeScaFactor', `PASSKEY; ${before}`],
    ['startScaReset', `TOTP; ${before}`],
  ])
  for (const change of changes) {
    assert.equal(change['resource'], sca.customerId)
    assert.ok(change['requestId'])
    assert.match(text(change['actor']), /Token:/)
  }
})
