/** Changes of an account's status or name check after creation: screening, the operator, payments. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectError, expectStatus, type Api, type HasId } from '../../../../test/kit/api.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import {
  CUSTOMERS,
  PLATFORM,
  accountIdOf,
  asOperator,
  newAccount,
  newCustomer,
  newOwnWallet,
} from '../../../../test/kit/accounts/external-accounts.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import type { ApiError } from '../../../kernel/errors.ts'
import type { ScreeningResult } from '../../../providers/account-screening.ts'
import type { SettableStatus } from './set-account-status.ts'
import {
  createExternalAccount,
  decideOwnership,
  findPlatformOfAccount,
  setAccountStatus,
  spendInvoice,
} from '../index.ts'
import { listOwnershipReviews } from '../lists.ts'
import { settleScreening } from './settle-screening.ts'

const kit = await startKit()
const platform = await kit.platform()
const { api } = platform

const setStatus = (at: TestPlatform, account: HasId, status: SettableStatus) =>
  asOperator(kit, at, (work) => setAccountStatus(work, { id: accountIdOf(account), status }))

const refusedWith = (code: string) => (error: ApiError) => error.code === code

async function events(by: Api) {
  const listed = await listEvents({ api: by }, 'EXTERNAL_ACCOUNT.STATUS_UPDATED')
  return listed.map(({ data }) => data).toReversed()
}

const emitted = async (account: HasId, by: Api = api): Promise<unknown[]> =>
  (await events(by)).filter(({ id }) => id === account.id).map(({ status }) => status)

let made = 0
const numbered = () =>
  externalAccountBody('USD_ACCOUNT', { accountNumber: `${10_000 + (made += 1)}9` })

describe('section 3: screening in PRODUCTION', () => {
  test('a bank account waits, and without an adapter is put before the operator', async () => {
    const production = await kit.platform({ environment: 'PRODUCTION' })
    const account = await newAccount(production.api, numbered(), PLATFORM)
    assert.equal(account.status, 'PENDING')
    const path = `${PLATFORM}/${account.id}` as const
    const read = async () => expectStatus(await production.api.get(path), 200)
    await eventually(async () => assert.equal((await read()).status, 'UNDER_REVIEW'))
    await setStatus(production, account, 'ACTIVE')
    assert.equal((await read()).status, 'ACTIVE')
    assert.deepEqual(await emitted(account, production.api), ['UNDER_REVIEW', 'ACTIVE'])
  })

  const RESULTS: readonly (readonly [ScreeningResult, string])[] = [
    ['CLEAR', 'ACTIVE'],
    ['REVIEW', 'UNDER_REVIEW'],
  ]
  for (const [result, status] of RESULTS) {
    test(`the adapter's ${result} moves the account to ${status}, once`, async () => {
      const production = await kit.platform({ environment: 'PRODUCTION' })
      const settled = await asOperator(kit, production, async (work) => {
        // In one transaction, so that the job which the creation leaves finds it decided.
        const request = { body: numbered(), owner: 'platform' } as const
        const { account } = await createExternalAccount(work, request)
        await settleScreening(work, { id: account.id, result })
        await settleScreening(work, { id: account.id, result: 'REVIEW' })
        return account
      })
      const read = await production.api.get(`${PLATFORM}/ExternalAccount:${settled.id}`)
      assert.equal(expectStatus(read, 200).status, status)
      assert.equal((await events(production.api)).length, 1)
    })
  }

  test('a wallet to which ownership does not apply is ACTIVE at once', async () => {
    const production = await kit.platform({ environment: 'PRODUCTION' })
    for (const type of ['TRON_WALLET', 'LIGHTNING']) {
      const account = await newAccount(production.api, externalAccountBody(type), PLATFORM)
      assert.equal(account.status, 'ACTIVE')
    }
  })
})

describe('section 3: external-accounts set-status', () => {
  test('the operator moves an account between ACTIVE, UNDER_REVIEW and INACTIVE, and each move emits an event', async () => {
    const account = await newAccount(api, numbered(), PLATFORM)
    const walk = [
      'UNDER_REVIEW',
      'INACTIVE',
      'UNDER_REVIEW',
      'ACTIVE',
      'INACTIVE',
      'ACTIVE',
    ] as const
    for (const status of walk) {
      const moved = await setStatus(platform, account, status)
      assert.equal(moved.status, status)
    }
    assert.deepEqual(await emitted(account), walk)
    const read = expectStatus(await api.get(`${PLATFORM}/${account.id}`), 200)
    assert.deepEqual((await events(api)).at(-1), read)
    assert.ok(read.updatedAt > read.createdAt)
  })

  test('setting the present status changes nothing', async () => {
    const account = await newAccount(api, numbered(), PLATFORM)
    await setStatus(platform, account, 'ACTIVE')
    assert.deepEqual(await emitted(account), [])
  })

  test('an account whose ownership is to be proven is not the operator’s to set, a deleted one not there', async () => {
    const customerId = await newCustomer(api, { region: 'DE' })
    const { account } = await newOwnWallet(api, customerId)
    await assert.rejects(setStatus(platform, account, 'ACTIVE'), refusedWith('CONFLICT'))
    const other = await newAccount(api, numbered(), PLATFORM)
    expectStatus(await api.delete(`${PLATFORM}/${other.id}`), 204)
    await assert.rejects(setStatus(platform, other, 'ACTIVE'), refusedWith('REFERENCE_NOT_FOUND'))
    const { db } = kit.florin.deps
    assert.equal(await findPlatformOfAccount(db.read, accountIdOf(other)), undefined)
    const at = await findPlatformOfAccount(db.read, accountIdOf(account))
    assert.equal(`Platform:${at}`, platform.platformId)
  })

  test('HOOK-5 an event holds no government’s number', async () => {
    const cop = externalAccountBody('COP_ACCOUNT')
    const accounts = [
      await newAccount(api, externalAccountBody('BRL_ACCOUNT'), PLATFORM),
      await newAccount(api, cop, PLATFORM),
    ]
    for (const account of accounts) await setStatus(platform, account, 'INACTIVE')
    const [brl, colombian] = (await events(api)).slice(-2)
    assert.equal(brl?.accountInfo.taxId, '*******4725')
    assert.equal(brl.accountInfo.pixKey, '*******4725')
    assert.equal(colombian?.accountInfo.beneficiary?.documentNumber, '******7890')
    assert.equal(colombian.accountInfo.accountNumber, cop.accountInfo['accountNumber'])
    const read = expectStatus(await api.get(`${PLATFORM}/${accounts[0]?.id}`), 200)
    assert.equal(read.accountInfo.taxId, '52998224725')
  })
})

describe('BVER the name check', () => {
  const OUTCOMES: readonly (readonly [suffix: string, status: string, fullName?: string])[] = [
    ['102', 'NOT_MATCHED'],
    ['103', 'PARTIAL_MATCH', 'J. Doe'],
    ['104', 'PENDING'],
    ['106', 'UNSUPPORTED'],
    ['107', 'CHECKED_BY_RECEIVING_FI'],
    ['002', 'MATCHED', 'Jane Doe'],
    ['007', 'MATCHED', 'Jane Doe'],
    ['101', 'MATCHED', 'Jane Doe'],
  ]
  for (const [suffix, status, fullName] of OUTCOMES) {
    test(`BVER-1 BVER-2 an account that ends in ${suffix} is ACTIVE and ${status}`, async () => {
      const customerId = await newCustomer(api)
      for (const body of [
        externalAccountBody('USD_ACCOUNT', { accountNumber: `123456${suffix}` }),
        externalAccountBody('INR_ACCOUNT', { vpa: `asha${suffix}@okbank` }),
        externalAccountBody('KES_ACCOUNT', { phoneNumber: `+254712345${suffix}` }),
      ]) {
        const account = await newAccount(api, { customerId, ...body })
        assert.equal(account.status, 'ACTIVE')
        assert.equal(account.beneficiaryVerificationStatus, status)
        assert.deepEqual(account.beneficiaryVerifiedData, fullName && { fullName })
      }
    })
  }

  test('BVER-2 a business is matched by its legal name', async () => {
    const account = await newAccount(api, externalAccountBody('CNY_ACCOUNT'), PLATFORM)
    assert.deepEqual(account.beneficiaryVerifiedData, { fullName: 'Acme Ltd' })
  })

  test('BVER-3 an account that the bank does not know is refused, every time, and not stored', async () => {
    const customerId = await newCustomer(api)
    const body = {
      customerId,
      ...externalAccountBody('USD_ACCOUNT', { accountNumber: '123456105' }),
    }
    for (const answer of [await api.post(CUSTOMERS, body), await api.post(CUSTOMERS, body)]) {
      expectError(answer, 400, 'INVALID_BANK_ACCOUNT')
    }
    const listed = expectStatus(await api.get(CUSTOMERS, { query: { customerId } }), 200)
    assert.deepEqual(listed.data, [])
  })

  test('section 8: on wallets 105 is no error, and there is nothing to match', async () => {
    const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTD105'
    const body = externalAccountBody('SOLANA_WALLET', { address })
    const account = await newAccount(api, body, PLATFORM)
    assert.equal(account.beneficiaryVerificationStatus, undefined)
    assert.equal(account.beneficiaryVerifiedData, undefined)
  })

  test('section 8: in PRODUCTION no number is magic', async () => {
    const production = await kit.platform({ environment: 'PRODUCTION' })
    const usd = externalAccountBody('USD_ACCOUNT', { accountNumber: '123456105' })
    const account = await newAccount(production.api, usd, PLATFORM)
    assert.equal(account.beneficiaryVerificationStatus, 'CHECKED_BY_RECEIVING_FI')
  })

  test('BVER-4 PRODUCTION without an adapter says so, and American banks check themselves', async () => {
    const production = await kit.platform({ environment: 'PRODUCTION' })
    for (const [type, status] of [
      ['USD_ACCOUNT', 'CHECKED_BY_RECEIVING_FI'],
      ['EUR_ACCOUNT', 'UNSUPPORTED'],
      ['KES_ACCOUNT', 'UNSUPPORTED'],
    ] as const) {
      const account = await newAccount(production.api, externalAccountBody(type), PLATFORM)
      assert.equal(account.beneficiaryVerificationStatus, status)
      assert.equal(account.beneficiaryVerifiedData, undefined)
    }
  })
})

describe('EACC-18 invoices', () => {
  const COFFEE =
    'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'
  const spend = (account: HasId) =>
    asOperator(kit, platform, (work) => spendInvoice(work, accountIdOf(account)))

  test('EACC-18 an invoice is spent by the first completed payment, once', async () => {
    const body = externalAccountBody('LIGHTNING', { lightningAddress: undefined, invoice: COFFEE })
    const account = await newAccount(api, body, PLATFORM)
    await spend(account)
    await spend(account)
    const read = expectStatus(await api.get(`${PLATFORM}/${account.id}`), 200)
    assert.equal(read.status, 'INACTIVE')
    assert.deepEqual(await emitted(account), ['INACTIVE'])
  })

  test('EACC-18 other accounts, deleted or not, are paid any number of times', async () => {
    const address = await newAccount(api, externalAccountBody('LIGHTNING'), PLATFORM)
    const bank = await newAccount(api, numbered(), PLATFORM)
    for (const account of [address, bank]) {
      await spend(account)
      assert.deepEqual(await emitted(account), [])
    }
    expectStatus(await api.delete(`${PLATFORM}/${bank.id}`), 204)
    await spend(bank)
  })
})

describe('OWN-3 OWN-9 the operator decides liveness checks', () => {
  const decide = (at: TestPlatform, account: HasId, isApproved: boolean) =>
    asOperator(kit, at, (work) => decideOwnership(work, { id: accountIdOf(account), isApproved }))
  const reviews = () => {
    const { db, clock } = kit.florin.deps
    const all = { platformIds: null, after: null, limit: 100 }
    return listOwnershipReviews(db.read, { ...all, now: clock.now() })
  }

  for (const [isApproved, status] of [
    [true, 'ACTIVE'],
    [false, 'UNVERIFIED'],
  ] as const) {
    test(`a check in PRODUCTION waits in the list until it is decided: ${status}`, async () => {
      const production = await kit.platform({ environment: 'PRODUCTION' })
      const customerId = await newCustomer(production.api, { region: 'DE' })
      const { account, path } = await newOwnWallet(production.api, customerId)
      await assert.rejects(decide(production, account, isApproved), refusedWith('CONFLICT'))
      const challenge = { method: 'LIVENESS' }
      expectStatus(await production.api.post(`${path}/challenge`, challenge), 201)
      const waiting = (await reviews()).filter(
        ({ externalAccountId }) => externalAccountId === accountIdOf(account),
      )
      assert.deepEqual(
        waiting.map((review) => [review.environment, review.accountType, review.submittedAt]),
        [['PRODUCTION', 'SOLANA_WALLET', null]],
      )
      assert.equal((await decide(production, account, isApproved)).status, status)
      assert.deepEqual(await emitted(account, production.api), [status])
      assert.ok(!(await reviews()).some((one) => one.externalAccountId === accountIdOf(account)))
      await assert.rejects(decide(production, account, isApproved), refusedWith('CONFLICT'))
    })
  }

  test('a signature is not the operator’s to judge', async () => {
    const customerId = await newCustomer(api, { region: 'DE' })
    const { account, path } = await newOwnWallet(api, customerId)
    expectStatus(await api.post(`${path}/challenge`, { method: 'WALLET_SIGNATURE' }), 201)
    await assert.rejects(decide(platform, account, true), refusedWith('CONFLICT'))
  })
})
