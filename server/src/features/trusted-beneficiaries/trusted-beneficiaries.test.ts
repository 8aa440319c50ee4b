import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Answer,
  type Api,
  type Body,
} from '../../../test/kit/api.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { externalAccountBody } from '../../../test/kit/accounts/external-account-bodies.ts'
import { CUSTOMERS, newAccount, PLATFORM } from '../../../test/kit/accounts/external-accounts.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import {
  enrolPasskey,
  enrolTotp,
  newScaCustomer,
  passkeyProof,
  RIGHT,
  WRONG,
} from '../../../test/kit/sca/sca.ts'
import { newWallet } from '../../../test/kit/wallets/signing-wallets.ts'
import { newUuid } from '../../kernel/ids.ts'

const kit = await startKit()

const addressBody = (customerId: string, address: string = newWallet().address) => ({
  customerId,
  currency: 'USDC',
  ownershipType: 'THIRD_PARTY',
  accountInfo: { accountType: 'SOLANA_WALLET', address },
  beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
})

async function newBeneficiary(platform: TestPlatform, fields: object = {}) {
  const sca = await newScaCustomer(platform, fields)
  const account = await newAccount(platform.api, addressBody(sca.customerId))
  return { sca, account, path: `${CUSTOMERS}/${account.id}` }
}

const begin = async (api: Api, path: string, verb = 'trust') =>
  expectStatus(await api.post(`${path}/${verb}`), 200)['scaChallenge'] as Body

const confirm = (api: Api, path: string, body: object, verb = 'trust') =>
  api.post(`${path}/${verb}/confirm`, body)

async function trust(api: Api, path: string, verb = 'trust') {
  const { id: challengeId } = await begin(api, path, verb)
  return expectStatus(await confirm(api, path, { challengeId, code: RIGHT }, verb), 200)
}

const expired = (answer: Answer): void => {
  const details = expectError(answer, 400, 'INVALID_INPUT')
  assert.equal(details['reason'], 'CHALLENGE_EXPIRED', answer.text)
}

test('TRUST-1 only an address for USDC can be trusted', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const bank = externalAccountBody('EUR_ACCOUNT', {})
  const account = await newAccount(platform.api, { ...bank, customerId: sca.customerId })
  const path = `${CUSTOMERS}/${account.id}` as const
  expectFields(await platform.api.post(`${path}/trust`), ['externalAccountId'])
  assert.deepEqual(expectStatus(await platform.api.post(`${path}/untrust`), 200), {})
})

test('TRUST-2 an account of no customer is not found; outside SCA all four operations answer 409', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const own = await newAccount(api, externalAccountBody('USD_ACCOUNT', {}), PLATFORM)
  const { path: foreign } = await newBeneficiary(await kit.platform())
  const { path: deleted } = await newBeneficiary(platform)
  expectStatus(await api.delete(deleted), 204)
  const { path: outside } = await newBeneficiary(platform, { region: 'US' })
  const body = { code: RIGHT }
  for (const [path, status, code] of [
    [`${CUSTOMERS}/${own.id}`, 404, 'REFERENCE_NOT_FOUND'],
    [`${CUSTOMERS}/ExternalAccount:${newUuid()}`, 404, 'REFERENCE_NOT_FOUND'],
    [foreign, 404, 'REFERENCE_NOT_FOUND'],
    [deleted, 404, 'REFERENCE_NOT_FOUND'],
    [outside, 409, 'CONFLICT'],
  ] as const) {
    for (const verb of ['trust', 'untrust']) {
      expectError(await api.post(`${path}/${verb}`), status, code)
      expectError(await confirm(api, path, body, verb), status, code)
    }
  }
})

test('TRUST-3 a start answers a challenge of five minutes with every usable factor', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { sca, path } = await newBeneficiary(platform)
  const plain = await begin(api, path)
  assert.equal(plain['purpose'], 'TRUST_BENEFICIARY')
  assert.equal(plain['factor'], 'SMS_OTP')
  assert.deepEqual(plain['availableFactors'], ['SMS_OTP'])
  assert.equal(plain['passkeyAssertionOptions'], undefined)
  await enrolTotp(sca)
  await enrolPasskey(sca)
  const full = await begin(api, path)
  assert.deepEqual(full['availableFactors'], ['SMS_OTP', 'TOTP', 'PASSKEY'])
  assert.ok(full['passkeyAssertionOptions'])
  assert.deepEqual(full['passkeyAllowedOrigins'], ['http://localhost'])
  const { path: silent } = await newBeneficiary(platform, { phoneNumber: undefined })
  const details = expectError(await api.post(`${silent}/trust`), 409, 'CONFLICT')
  assert.equal(details['reason'], 'NO_SCA_FACTOR')
})

test('TRUST-4 TRUST-5 a proof changes the trust in both directions; an unchanged trust needs none', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { path } = await newBeneficiary(platform)
  assert.deepEqual(expectStatus(await api.post(`${path}/untrust`), 200), {})
  assert.deepEqual(await trust(api, path), { trusted: true })
  assert.deepEqual(expectStatus(await api.post(`${path}/trust`), 200), {})
  const unread = await confirm(api, path, { code: WRONG })
  assert.deepEqual(expectStatus(unread, 200), { trusted: true })
  assert.deepEqual(await trust(api, path, 'untrust'), { trusted: false })
})

test('TRUST-5 an app’s code and a passkey prove a change of trust too', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { sca, path } = await newBeneficiary(platform, { phoneNumber: undefined })
  await enrolTotp(sca)
  const refused = expectError(await api.post(`${path}/trust`), 409, 'CONFLICT')
  assert.equal(refused['reason'], 'NO_SCA_FACTOR', 'an app alone is none')
  const authenticator = await enrolPasskey(sca)
  const first = await begin(api, path)
  assert.equal(first['factor'], 'PASSKEY')
  assert.deepEqual(first['availableFactors'], ['TOTP', 'PASSKEY'])
  const byApp = { challengeId: first['id'], code: RIGHT }
  expectStatus(await confirm(api, path, byApp), 200)
  const second = await begin(api, path, 'untrust')
  const signed = passkeyProof(authenticator, second['passkeyAssertionOptions'])
  const byPasskey = { challengeId: second['id'], ...signed }
  expectStatus(await confirm(api, path, byPasskey, 'untrust'), 200)
})

test('TRUST-5 TRUST-6 TRUST-7 only the pending challenge of the account and direction is accepted', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { sca, path } = await newBeneficiary(platform)
  const other = await newAccount(api, addressBody(sca.customerId))
  const otherPath = `${CUSTOMERS}/${other.id}` as const
  const challengeId = `ScaChallenge:${newUuid()}`
  expired(await confirm(api, path, { challengeId, code: RIGHT }))
  expired(await confirm(api, path, { code: RIGHT }))
  const first = await begin(api, path)
  const second = await begin(api, path)
  expectFields(await confirm(api, path, { code: RIGHT }), ['challengeId'])
  expired(await confirm(api, path, { challengeId: first['id'], code: RIGHT }))
  expired(await confirm(api, otherPath, { challengeId: second['id'], code: RIGHT }))
  await advance(platform, 300)
  expired(await confirm(api, path, { challengeId: second['id'], code: RIGHT }))
  await trust(api, path)
  expired(await confirm(api, path, { challengeId: second['id'], code: RIGHT }, 'untrust'))
})

test('TRUST-6 the fifth wrong proof voids the challenge and counts as no failed login', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { sca, path } = await newBeneficiary(platform)
  const { id: challengeId } = await begin(api, path)
  for (const attemptsLeft of [4, 3, 2, 1, 0]) {
    const details = expectError(
      await confirm(api, path, { challengeId, code: WRONG }),
      400,
      'INVALID_INPUT',
    )
    assert.deepEqual(details, { reason: 'INVALID_PROOF', attemptsLeft })
  }
  expired(await confirm(api, path, { challengeId, code: RIGHT }))
  const event = await sca.post('/record-event', { eventType: 'FAILED_LOGIN_ATTEMPT' })
  assert.equal(expectStatus(event, 200).failedAttempts, 1)
})

test('TRUST-6 SCA-24 wrong proofs are limited per customer, over all challenges and accounts', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { sca, path } = await newBeneficiary(platform, { phoneNumber: undefined })
  await enrolTotp(sca)
  await enrolPasskey(sca)
  const other = `${CUSTOMERS}/${(await newAccount(api, addressBody(sca.customerId))).id}`
  const guess = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      const { id: challengeId } = await begin(api, path)
      const wrong = await confirm(api, path, { challengeId, code: WRONG })
      expectError(wrong, 400, 'INVALID_INPUT')
    }
  }
  const limited = (answer: Answer): number => {
    expectError(answer, 429, 'RATE_LIMITED')
    return Number(answer.headers.get('retry-after'))
  }
  const { id: challengeId } = await begin(api, other)
  await guess(10)
  const waitSeconds = limited(await api.post(`${path}/trust`))
  assert.ok(waitSeconds > 890 && waitSeconds <= 900)
  const open = { challengeId, code: RIGHT }
  assert.ok(limited(await confirm(api, other, open)) <= 900, 'not even a right one is looked at')
  assert.deepEqual(expectStatus(await api.post(`${path}/untrust`), 200), {}, 'it is so already')
  for (let round = 0; round < 2; round += 1) {
    await advance(platform, 900)
    await guess(10)
  }
  await advance(platform, 900)
  assert.ok(limited(await api.post(`${path}/trust`)) > 80_000, 'thirty in a day')
  await advance(platform, 86_400)
  assert.deepEqual(await trust(api, path), { trusted: true })
})

test('scenario 17, TRUST-13 TRUST-4 TRUST-11 while locked or suspended no proof is judged, and the challenge stays', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { sca, path } = await newBeneficiary(platform)
  const failLogin = async () =>
    expectStatus(await sca.post('/record-event', { eventType: 'FAILED_LOGIN_ATTEMPT' }), 200)
  const { id: challengeId } = await begin(api, path)
  for (let time = 0; time < 4; time += 1) await failLogin()
  const { lockedUntil } = await failLogin()
  const locked = { suspended: false, failedAttempts: 5, lockedUntil }
  for (const code of [RIGHT, WRONG]) {
    const answer = await confirm(api, path, { challengeId, code })
    assert.deepEqual(expectError(answer, 423, 'ACCOUNT_LOCKED'), locked, 'and not counted')
  }
  const settled = await confirm(api, path, { code: RIGHT }, 'untrust')
  expectError(settled, 423, 'ACCOUNT_LOCKED')
  const event = { eventType: 'RESET_PASSWORD_COMPLETED' }
  expectStatus(await sca.post('/record-event', event), 200)
  assert.deepEqual(expectStatus(await confirm(api, path, { challengeId, code: RIGHT }), 200), {
    trusted: true,
  })
  for (const seconds of [0, 0, 0, 0, 900, 1_800, 3_600, 86_400, 0]) {
    await failLogin()
    if (seconds > 0) await advance(platform, seconds)
  }
  const { id } = await begin(api, path, 'untrust')
  const suspended = await confirm(api, path, { challengeId: id, code: RIGHT }, 'untrust')
  assert.deepEqual(expectError(suspended, 423, 'ACCOUNT_LOCKED'), {
    suspended: true,
    failedAttempts: 9,
  })
})

test('SCA-4 a proof is either a code or a passkey assertion', async () => {
  const platform = await kit.platform()
  const { path } = await newBeneficiary(platform)
  expectFields(await confirm(platform.api, path, {}), ['code'])
  const both = { code: RIGHT, passkeyAssertion: {}, origin: 'http://localhost' }
  expectFields(await confirm(platform.api, path, both), ['code'])
  expectFields(await confirm(platform.api, path, { passkeyAssertion: {} }), ['origin'])
})

test('TRUST-8 of racing confirmations all succeed, and one changes the trust', async () => {
  const platform = await kit.platform()
  const { account, path } = await newBeneficiary(platform)
  const { id: challengeId } = await begin(platform.api, path)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => confirm(platform.api, path, { challengeId, code: RIGHT })),
  )
  for (const answer of answers) assert.deepEqual(expectStatus(answer, 200), { trusted: true })
  const lines = items(await operate(kit, `audit list --platform ${platform.platformId}`))
  const changes = lines.filter(({ action }) => text(action) === 'confirmBeneficiaryTrust')
  assert.equal(changes.length, 1)
  assert.equal(changes[0]?.['resource'], account.id)
})

test('TRUST-9 EACC-15 a trusted account is not deleted, and trust ends with its account', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const sca = await newScaCustomer(platform)
  const { address } = newWallet()
  const account = await newAccount(api, addressBody(sca.customerId, address))
  const path = `${CUSTOMERS}/${account.id}` as const
  await trust(api, path)
  expectError(await api.delete(path), 409, 'BENEFICIARY_TRUSTED')
  expectStatus(await api.get(path), 200)
  assert.deepEqual(expectStatus(await api.post(`${path}/trust`), 200), {}, 'still trusted')
  await trust(api, path, 'untrust')
  expectStatus(await api.delete(path), 204)
  const again = await newAccount(api, addressBody(sca.customerId, address))
  assert.ok(await begin(api, `${CUSTOMERS}/${again.id}`), 'a new account begins untrusted')
})

test('TRUST-10 TRUST-11 trust belongs to one id and is shown in neither account nor list', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { address } = newWallet()
  const [one, other] = [await newScaCustomer(platform), await newScaCustomer(platform)]
  const account = await newAccount(api, addressBody(one.customerId, address))
  const twin = await newAccount(api, addressBody(other.customerId, address))
  const path = `${CUSTOMERS}/${account.id}` as const
  const before = expectStatus(await api.get(path), 200)
  await trust(api, path)
  assert.deepEqual(expectStatus(await api.get(path), 200), before)
  assert.ok(await begin(api, `${CUSTOMERS}/${twin.id}`))
})
