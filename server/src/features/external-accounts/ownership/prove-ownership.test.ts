/** Proving that a wallet is its holder's, through HTTP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Api,
  type HasId,
} from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import {
  CUSTOMERS,
  PLATFORM,
  newAccount,
  newCustomer,
  newOwnWallet,
  switchPlatform,
  walletBody,
} from '../../../../test/kit/accounts/external-accounts.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { SIGNING_WALLETS, newWallet } from '../../../../test/kit/wallets/signing-wallets.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit({ LEGAL_NAME: 'Größe Payments' })
const platform = await kit.platform()
const { api } = platform
const eea = await newCustomer(api, { region: 'DE' })

const UNPROVEN = 'PENDING_OWNERSHIP_VERIFICATION'

const statusOf = async (path: string, by: Api = api): Promise<unknown> =>
  expectStatus(await by.get(path), 200)['status']

const challenge = async (path: string, method = 'WALLET_SIGNATURE', by: Api = api) =>
  expectStatus(await by.post(`${path}/challenge`, { method }), 201)

const messageAt = async (path: string): Promise<string> =>
  text((await challenge(path))['messageToSign'])

/** The statuses in events of this account, in order. */
async function eventStatusesOf(account: HasId, by: Api = api): Promise<unknown[]> {
  const events = await listEvents({ api: by }, 'EXTERNAL_ACCOUNT.STATUS_UPDATED')
  return events
    .filter(({ data }) => data.id === account.id)
    .map(({ data }) => data.status)
    .toReversed()
}

describe('OWN-1 OWN-2 who has to prove', () => {
  const START: readonly (readonly [
    why: string,
    region: string | undefined,
    body: object,
    status: string,
  ])[] = [
    ['an EU customer’s own wallet', 'FR', {}, UNPROVEN],
    ['an EEA customer’s own wallet', 'NO', {}, UNPROVEN],
    ['a customer from elsewhere', 'US', {}, 'ACTIVE'],
    ['a customer without a region', undefined, {}, 'ACTIVE'],
    ['a third party’s', 'FR', { ownershipType: 'THIRD_PARTY' }, 'ACTIVE'],
    ['ownership not stated', 'FR', { ownershipType: undefined }, 'ACTIVE'],
  ]
  for (const [why, region, fields, status] of START) {
    test(`OWN-1 a wallet starts ${status}: ${why}`, async () => {
      const customerId = await newCustomer(api, { region })
      const account = await newAccount(api, walletBody(newWallet(), { customerId, ...fields }))
      assert.equal(account.status, status)
      assert.equal(account.beneficiaryVerificationStatus, undefined)
    })
  }

  test('OWN-1 a wallet with a custodian, a bank account and LIGHTNING start ACTIVE', async () => {
    const { accountType, currency, address } = newWallet()
    const kept = { currency, accountInfo: { accountType, address, vaspName: 'Kraken' } }
    for (const body of [
      kept,
      externalAccountBody('USD_ACCOUNT'),
      externalAccountBody('LIGHTNING'),
    ]) {
      const asked = { customerId: eea, ownershipType: 'FIRST_PARTY', ...body }
      assert.equal((await newAccount(api, asked)).status, 'ACTIVE')
    }
  })

  test('OWN-2 under the travel rule every wallet states its ownership, customers’ and the platform’s alike', async () => {
    const ruled = await kit.platform()
    await switchPlatform(kit, ruled, { travelRule: true })
    const { api } = ruled
    const customerId = await newCustomer(api, { region: 'US' })
    for (const [path, owner] of [
      [CUSTOMERS, { customerId }],
      [CUSTOMERS, {}],
      [PLATFORM, {}],
    ] as const) {
      const ask = (fields: object) =>
        api.post(path, walletBody(newWallet(), { ...owner, ...fields }))
      expectFields(await ask({ ownershipType: undefined }), ['ownershipType'])
      expectFields(await ask({ ownershipType: 'THIRD_PARTY' }), ['accountInfo.beneficiary'])
      expectFields(await ask({ ownershipType: 'THIRD_PARTY', platformAccountId: '' }), [
        'accountInfo.beneficiary',
        'platformAccountId',
      ])
      assert.equal(expectStatus(await ask({}), 201).status, UNPROVEN)
    }
    await newAccount(api, externalAccountBody('USD_ACCOUNT'), PLATFORM)
    await newAccount(api, externalAccountBody('LIGHTNING'), PLATFORM)
    await newAccount(api, externalAccountBody('TRON_WALLET', { vaspName: 'OKX' }), PLATFORM)
    const beneficiary = {
      beneficiaryType: 'INDIVIDUAL',
      fullName: 'Jane',
      countryOfResidence: 'DE',
    }
    const theirs = externalAccountBody('BASE_WALLET', { beneficiary })
    const account = await newAccount(api, { ownershipType: 'THIRD_PARTY', ...theirs }, PLATFORM)
    assert.equal(account.status, 'ACTIVE')
  })

  test('OWN-2 in PRODUCTION the travel rule applies to EEA customers without being switched on', async () => {
    const { api } = await kit.platform({ environment: 'PRODUCTION' })
    const ask = async (region: string, fields: object) =>
      api.post(
        CUSTOMERS,
        walletBody(newWallet(), { customerId: await newCustomer(api, { region }), ...fields }),
      )
    expectFields(await ask('DE', { ownershipType: undefined }), ['ownershipType'])
    expectFields(await ask('DE', { ownershipType: undefined, platformAccountId: '' }), [
      'ownershipType',
      'platformAccountId',
    ])
    assert.equal(expectStatus(await ask('DE', {}), 201).status, UNPROVEN)
    assert.equal(expectStatus(await ask('US', { ownershipType: undefined }), 201).status, 'ACTIVE')
    assert.equal(expectStatus(await ask('US', {}), 201).status, 'ACTIVE')
  })
})

describe('OWN-3 OWN-4 OWN-5 challenges', () => {
  test('OWN-3 an account with nothing to prove cannot be challenged', async () => {
    const { accountType, currency, address } = newWallet()
    for (const body of [
      externalAccountBody('EUR_ACCOUNT'),
      externalAccountBody('LIGHTNING', { lightningAddress: 'hal@bitcoin.org' }),
      { currency, accountInfo: { accountType, address, vaspName: 'Kraken' } },
      walletBody(newWallet(), { ownershipType: 'THIRD_PARTY' }),
      walletBody(newWallet(), { ownershipType: undefined }),
    ]) {
      const asked = { customerId: eea, ownershipType: 'FIRST_PARTY', ...body }
      const { id } = await newAccount(api, asked)
      for (const method of ['WALLET_SIGNATURE', 'LIVENESS']) {
        const answer = await api.post(`${CUSTOMERS}/${id}/challenge`, { method })
        expectError(answer, 409, 'CONFLICT')
      }
    }
  })

  test('OWN-3 an unknown method is refused', async () => {
    const { path } = await newOwnWallet(api, eea)
    for (const body of [{ method: 'SMS' }, { method: 'liveness' }, { method: null }, {}]) {
      expectFields(await api.post(`${path}/challenge`, body), ['method'])
    }
  })

  test('OWN-4 the message names service, address, account, nonce and expiry, and lives ten minutes', async () => {
    const { wallet, account, path } = await newOwnWallet(api, eea)
    const { now } = expectStatus(await api.get('/sandbox/clock'), 200)
    const asked = await challenge(path)
    const again = await challenge(path)
    assert.deepEqual(Object.keys(asked).toSorted(), ['expiresAt', 'messageToSign', 'method'])
    const message = text(asked['messageToSign'])
    const expiresAt = text(asked['expiresAt'])
    assert.match(message, /^[ -~\n]+$/)
    const { address } = wallet
    for (const part of ['Gr??e Payments', address, account.id, expiresAt]) {
      assert.ok(message.includes(part), part)
    }
    assert.match(message, /\b[0-9a-f]{32}\b/)
    assert.notEqual(message, again['messageToSign'])
    const livesMs = Date.parse(expiresAt) - Date.parse(now)
    assert.ok(livesMs >= 600_000 && livesMs < 610_000, String(livesMs))
  })

  test('OWN-4 a liveness check is behind a link of our own, and lives thirty minutes', async () => {
    const { path } = await newOwnWallet(api, eea)
    const { now } = expectStatus(await api.get('/sandbox/clock'), 200)
    const asked = await challenge(path, 'LIVENESS')
    assert.equal(asked['method'], 'LIVENESS')
    const link = new URL(text(asked['verificationLink']))
    assert.equal(link.origin, kit.florin.deps.settings.publicUrl)
    assert.equal(link.pathname, '/liveness')
    assert.match(link.searchParams.get('token') ?? '', /^[\w-]{43}$/)
    const livesMs = Date.parse(text(asked['expiresAt'])) - Date.parse(now)
    assert.ok(livesMs >= 1_800_000 && livesMs < 1_810_000, String(livesMs))
  })

  test('OWN-5 a new challenge ends the former one, of either method', async () => {
    const { wallet, path } = await newOwnWallet(api, eea)
    const first = await messageAt(path)
    await challenge(path, 'LIVENESS')
    const verify = (message: string) =>
      api.post(`${path}/verify`, { signature: wallet.sign(message) })
    expectError(await verify(first), 409, 'CONFLICT')
    const second = await messageAt(path)
    const third = await messageAt(path)
    expectFields(await verify(second), ['signature'])
    assert.equal(await statusOf(path), 'UNVERIFIED')
    expectError(await verify(third), 409, 'CONFLICT')
  })

  test('CORE-40 a challenge that is repeated under its key is the same one', async () => {
    const { wallet, path } = await newOwnWallet(api, eea)
    const headers = { 'idempotency-key': newUuid() }
    const ask = () => api.post(`${path}/challenge`, { method: 'WALLET_SIGNATURE' }, { headers })
    const first = expectStatus(await ask(), 201)
    assert.deepEqual(expectStatus(await ask(), 201), first)
    const signature = wallet.sign(text(first['messageToSign']))
    expectStatus(await api.post(`${path}/verify`, { signature }), 200)
  })
})

describe('OWN-6 OWN-7 signatures', () => {
  for (const make of SIGNING_WALLETS) {
    const { accountType } = make()
    test(`OWN-6 OWN-7 ${accountType}: the holder's signature proves it, and an event is emitted`, async () => {
      const { wallet, account, path } = await newOwnWallet(api, eea, make())
      assert.equal(account.status, UNPROVEN)
      const signature = wallet.sign(await messageAt(path))
      const proven = expectStatus(await api.post(`${path}/verify`, { signature }), 200)
      assert.equal(proven['status'], 'ACTIVE')
      assert.deepEqual(expectStatus(await api.get(path), 200), proven)
      assert.deepEqual(await eventStatusesOf(account), ['ACTIVE'])
      const answer = await api.post(`${path}/challenge`, { method: 'WALLET_SIGNATURE' })
      expectError(answer, 409, 'CONFLICT')
    })

    test(`OWN-6 OWN-7 ${accountType}: another key's signature fails, and spends the challenge`, async () => {
      const { wallet, account, path } = await newOwnWallet(api, eea, make())
      const message = await messageAt(path)
      const wrong = await api.post(`${path}/verify`, { signature: make().sign(message) })
      expectFields(wrong, ['signature'])
      assert.equal(await statusOf(path), 'UNVERIFIED')
      const right = await api.post(`${path}/verify`, { signature: wallet.sign(message) })
      expectError(right, 409, 'CONFLICT')
      assert.deepEqual(await eventStatusesOf(account), ['UNVERIFIED'])
    })
  }

  test('OWN-6 a Spark wallet signs as bip137 or electrum, and nothing else', async () => {
    const spark = SIGNING_WALLETS.find((make) => make().accountType === 'SPARK_WALLET')
    assert.ok(spark)
    for (const signatureScheme of ['bip137', 'electrum']) {
      const { wallet, path } = await newOwnWallet(api, eea, spark())
      const signature = wallet.sign(await messageAt(path))
      expectStatus(await api.post(`${path}/verify`, { signature, signatureScheme }), 200)
    }
    const { path } = await newOwnWallet(api, eea, spark())
    const body = { signature: 'x', signatureScheme: 'bip322' }
    expectFields(await api.post(`${path}/verify`, body), ['signatureScheme'])
  })

  test('OWN-7 a missing, empty or non-string signature changes nothing', async () => {
    const { wallet, path } = await newOwnWallet(api, eea)
    const message = await messageAt(path)
    for (const body of [{}, { signature: '' }, { signature: 7 }, { signature: null }]) {
      expectFields(await api.post(`${path}/verify`, body), ['signature'])
    }
    assert.equal(await statusOf(path), UNPROVEN)
    expectStatus(await api.post(`${path}/verify`, { signature: wallet.sign(message) }), 200)
  })

  test('OWN-7 without an open signature challenge there is nothing to verify', async () => {
    const { path } = await newOwnWallet(api, eea)
    expectError(await api.post(`${path}/verify`, { signature: 'x' }), 409, 'CONFLICT')
    await challenge(path, 'LIVENESS')
    expectError(await api.post(`${path}/verify`, { signature: 'x' }), 409, 'CONFLICT')
    assert.equal(await statusOf(path), UNPROVEN)
  })

  test('OWN-7 a signature that comes too late fails', async () => {
    const late = await kit.platform()
    const customerId = await newCustomer(late.api, { region: 'DE' })
    const { wallet, path } = await newOwnWallet(late.api, customerId)
    const { messageToSign } = await challenge(path, 'WALLET_SIGNATURE', late.api)
    await advance(late, 601)
    const signature = wallet.sign(text(messageToSign))
    expectFields(await late.api.post(`${path}/verify`, { signature }), ['signature'])
    assert.equal(await statusOf(path, late.api), 'UNVERIFIED')
  })

  test('OWN-5 OWN-7 a failed account can be challenged again, and emits an event', async () => {
    const { wallet, account, path } = await newOwnWallet(api, eea)
    await messageAt(path)
    expectFields(await api.post(`${path}/verify`, { signature: 'zzz' }), ['signature'])
    const signature = wallet.sign(await messageAt(path))
    assert.equal(await statusOf(path), UNPROVEN)
    expectStatus(await api.post(`${path}/verify`, { signature }), 200)
    assert.deepEqual(await eventStatusesOf(account), ['UNVERIFIED', UNPROVEN, 'ACTIVE'])
  })

  test('OWN-7 a failed proof outlives its refusal also under an Idempotency-Key', async () => {
    const { wallet, path } = await newOwnWallet(api, eea)
    const message = await messageAt(path)
    const headers = { 'idempotency-key': newUuid() }
    const ask = (signature: string) => api.post(`${path}/verify`, { signature }, { headers })
    expectFields(await ask('zzz'), ['signature'])
    assert.equal(await statusOf(path), 'UNVERIFIED')
    const again = await ask('zzz')
    expectFields(again, ['signature'])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const right = await api.post(`${path}/verify`, { signature: wallet.sign(message) })
    expectError(right, 409, 'CONFLICT')
  })

  test('OWN-7 of racing verifies of one challenge one decides', async () => {
    const { wallet, account, path } = await newOwnWallet(api, eea)
    const signature = wallet.sign(await messageAt(path))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post(`${path}/verify`, { signature })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'CONFLICT')
    }
    assert.deepEqual(await eventStatusesOf(account), ['ACTIVE'])
  })

  test('OWN-7 of racing right and wrong signatures one decides, and the account follows it', async () => {
    const { wallet, path } = await newOwnWallet(api, eea)
    const signature = wallet.sign(await messageAt(path))
    const signatures = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? signature : 'zzz'))
    const answers = await Promise.all(
      signatures.map((one) => api.post(`${path}/verify`, { signature: one })),
    )
    const deciding = answers.filter(({ status }) => status !== 409)
    assert.equal(deciding.length, 1)
    const expected = deciding[0]?.status === 200 ? 'ACTIVE' : 'UNVERIFIED'
    assert.equal(await statusOf(path), expected)
  })

  test('OWN-2 OWN-7 the platform proves its own wallets on its own path', async () => {
    const ruled = await kit.platform()
    await switchPlatform(kit, ruled, { travelRule: true })
    const wallet = newWallet()
    const account = await newAccount(ruled.api, walletBody(wallet, {}), PLATFORM)
    const path = `${PLATFORM}/${account.id}` as const
    const { messageToSign } = await challenge(path, 'WALLET_SIGNATURE', ruled.api)
    const signature = wallet.sign(text(messageToSign))
    const proven = expectStatus(await ruled.api.post(`${path}/verify`, { signature }), 200)
    assert.equal(proven.status, 'ACTIVE')
    assert.equal(proven.customerId, undefined)
  })
})

describe('OWN-9 liveness in the sandbox', () => {
  test('OWN-9 a liveness check passes 30 seconds after the challenge, not before', async () => {
    const clocked = await kit.platform()
    const customerId = await newCustomer(clocked.api, { region: 'SE' })
    const { account, path } = await newOwnWallet(clocked.api, customerId)
    await challenge(path, 'LIVENESS', clocked.api)
    await advance(clocked, 25)
    assert.equal(await statusOf(path, clocked.api), UNPROVEN)
    await advance(clocked, 6)
    assert.equal(await statusOf(path, clocked.api), 'ACTIVE')
    assert.deepEqual(await eventStatusesOf(account, clocked.api), ['ACTIVE'])
  })

  test('OWN-9 a superseded check does not pass', async () => {
    const clocked = await kit.platform()
    const customerId = await newCustomer(clocked.api, { region: 'SE' })
    const { path } = await newOwnWallet(clocked.api, customerId)
    await challenge(path, 'LIVENESS', clocked.api)
    await challenge(path, 'WALLET_SIGNATURE', clocked.api)
    await advance(clocked, 60)
    assert.equal(await statusOf(path, clocked.api), UNPROVEN)
  })

  test('OWN-9 the check of a deleted account changes nothing', async () => {
    const clocked = await kit.platform()
    const customerId = await newCustomer(clocked.api, { region: 'SE' })
    const { path } = await newOwnWallet(clocked.api, customerId)
    await challenge(path, 'LIVENESS', clocked.api)
    expectStatus(await clocked.api.delete(path), 204)
    const { jobs } = await advance(clocked, 60)
    const outcomes = jobs.map((job) => job.outcome)
    assert.deepEqual(outcomes, ['done'])
    expectError(await clocked.api.get(path), 404, 'REFERENCE_NOT_FOUND')
  })
})
