import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InternalAccount } from '../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Shown,
} from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, WITH_BITCOIN, type TestPlatform } from '../../../test/kit/florin.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { newId, mustParseId } from '../../kernel/ids.ts'
import { inPlatform } from '../../operator/in-platform.ts'
import { claimFunding } from './funding/claim-funding.ts'
import { freezeAccount, unfreezeAccount } from './record/change-account-status.ts'
import { draftFunding, type FundingRequest } from './funding/instructions.ts'
import { provisionAccount } from './opening/provision-account.ts'

const kit = await startOwnKit({ LEGAL_NAME: 'Example Trust' })
const { deps } = kit.florin

const newPlatform = (request: Parameters<typeof kit.platform>[0] = {}): Promise<TestPlatform> =>
  kit.platform({ kind: 'UNREGULATED', name: 'Acme', ...WITH_BITCOIN, ...request })

async function customer(p: TestPlatform, body: object = {}): Promise<string> {
  const answer = await p.api.post('/customers', { customerType: 'INDIVIDUAL', ...body })
  return expectStatus(answer, 201).id
}

const ofCustomers = '/customers/internal-accounts'
const ofPlatform = '/platform/internal-accounts'

async function list(
  p: TestPlatform,
  path: typeof ofCustomers | typeof ofPlatform,
  query: Record<string, string | number> = {},
) {
  return expectStatus(await p.api.get(path, { query }), 200).data
}

const currenciesOf = (accounts: readonly Shown<InternalAccount>[]): string[] =>
  accounts.map((account) => account.balance.currency.code).toSorted()

type Funded = Pick<Shown<InternalAccount>, 'fundingPaymentInstructions'>

const typesIn = (account: Funded | undefined) =>
  account?.fundingPaymentInstructions.map((entry) => entry.accountOrWalletInfo.accountType)

async function eventsOf(p: TestPlatform, type: string) {
  const answer = await p.api.get('/events', { query: { type, limit: 100 } })
  return expectStatus(answer, 200).data
}

describe('accounts come with their owner', () => {
  test('IACC-1 IACC-4 scenario 1: a customer has an account per currency, active and empty', async () => {
    const p = await newPlatform()
    const id = await customer(p)
    const accounts = await list(p, ofCustomers, { customerId: id })
    assert.deepEqual(currenciesOf(accounts), ['BTC', 'EUR', 'MXN', 'USD', 'USDC'])
    for (const account of accounts) {
      assert.equal(account.customerId, id)
      assert.equal(account.status, 'ACTIVE')
      assert.equal(account.balance.amount, 0)
      assert.equal(account.totalBalance.amount, 0)
      assert.equal(account.privateEnabled, undefined)
      const crypto = ['BTC', 'USDC'].includes(account.balance.currency.code)
      assert.equal(account.type, crypto ? 'INTERNAL_CRYPTO' : 'INTERNAL_FIAT')
      assert.ok(account.fundingPaymentInstructions.length > 0)
    }
    const [usd] = await list(p, ofCustomers, { customerId: id, currency: 'USD' })
    assert.deepEqual(typesIn(usd), ['US_ACCOUNT', 'SPARK_WALLET', 'SOLANA_WALLET'])
  })

  test('CRED-1 a customer’s USDB is on a wallet, the platform’s is not', async () => {
    const p = await newPlatform({ currencies: ['USD', 'USDB'] })
    const id = await customer(p)
    const [wallet, ...rest] = await list(p, ofCustomers, { type: 'EMBEDDED_WALLET' })
    assert.deepEqual(rest, [])
    assert.equal(wallet?.customerId, id)
    assert.equal(wallet.privateEnabled, false)
    assert.deepEqual(typesIn(wallet), ['SPARK_WALLET'])
    const [own] = await list(p, ofPlatform, { currency: 'USDB' })
    assert.equal(own?.type, 'INTERNAL_CRYPTO')
  })

  test('IACC-3 scenario 2: the platform has one per currency, marked as its own', async () => {
    const p = await newPlatform()
    const accounts = await list(p, ofPlatform)
    assert.deepEqual(currenciesOf(accounts), ['BTC', 'EUR', 'MXN', 'USD', 'USDC'])
    const [usd, ...rest] = await list(p, ofPlatform, { currency: 'USD' })
    assert.deepEqual(rest, [])
    assert.equal(usd?.customerId, undefined)
    for (const entry of items(usd?.fundingPaymentInstructions)) {
      assert.equal(entry.isPlatformAccount, true)
    }
  })

  test('IACC-2 IACC-3 an added currency creates the account at once, and adding it again creates no second one', async () => {
    const p = await newPlatform({ currencies: ['USD'] })
    const set = (codes: readonly string[]) =>
      p.api.patch('/config', {
        supportedCurrencies: codes.map((currencyCode) => ({
          currencyCode,
          minAmount: 1,
          maxAmount: 1_000_000,
          requiredCounterpartyFields: [],
          enabledTransactionTypes: ['OUTGOING', 'INCOMING'],
        })),
      })
    expectStatus(await set(['USD', 'GBP']), 200)
    const before = await list(p, ofPlatform, { currency: 'GBP' })
    assert.equal(before.length, 1)
    expectStatus(await set(['USD']), 200)
    assert.deepEqual(currenciesOf(await list(p, ofPlatform)), ['GBP', 'USD'], 'left in place')
    expectStatus(await set(['USD', 'GBP']), 200)
    assert.deepEqual(await list(p, ofPlatform, { currency: 'GBP' }), before)
  })

  test('IACC-11 the holder is the service for the benefit of the owner', async () => {
    const p = await newPlatform({ name: 'Acme Rewards' })
    const id = await customer(p, { fullName: 'Ada Lovelace' })
    const holder = (account: Funded | undefined) =>
      account?.fundingPaymentInstructions[0]?.accountOrWalletInfo.accountHolderName
    const [his] = await list(p, ofCustomers, { customerId: id, currency: 'EUR' })
    assert.equal(holder(his), 'Example Trust FBO Ada Lovelace')
    const [own] = await list(p, ofPlatform, { currency: 'EUR' })
    assert.equal(holder(own), 'Example Trust FBO Acme Rewards')
    const nameless = await customer(p, { platformCustomerId: 'user 7' })
    const [its] = await list(p, ofCustomers, { customerId: nameless, currency: 'EUR' })
    assert.equal(holder(its), 'Example Trust FBO user 7', 'whom nobody has named yet')
  })
})

describe('funding instructions', () => {
  test('IACC-9 funding instructions are the same on every read and shared by no two accounts of any platform', async () => {
    const p = await newPlatform()
    const q = await newPlatform()
    await customer(p)
    await customer(q)
    const all = [
      ...(await list(p, ofPlatform)),
      ...(await list(p, ofCustomers)),
      ...(await list(q, ofPlatform)),
      ...(await list(q, ofCustomers)),
    ]
    const seen = new Map<string, string>()
    for (const account of all) {
      for (const entry of account.fundingPaymentInstructions) {
        const info = entry.accountOrWalletInfo
        for (const field of [
          'reference',
          'accountNumber',
          'iban',
          'clabeNumber',
          'address',
          'invoice',
        ] as const) {
          if (info[field] === undefined) continue
          const value = `${field} ${info[field]}`
          assert.ok((seen.get(value) ?? account.id) === account.id, value)
          seen.set(value, account.id)
        }
      }
    }
    assert.ok(seen.size > all.length)
    assert.deepEqual(await list(p, ofPlatform), await list(p, ofPlatform))
  })

  test('IACC-9 a number that is taken is not issued again', async () => {
    const p = await newPlatform()
    const owner = { kind: 'internalAccount', id: newId('internalAccount') } as const
    const request: FundingRequest = {
      owner,
      currency: 'GBP',
      holderName: 'x',
      isPlatformAccount: false,
      createdAt: new Date('2026-01-01T00:00:00Z'),
    }
    const claim = () =>
      inPlatform(deps, { platformId: p.platformId, action: 'test' }, async (work) => {
        const twin = { ...request, owner: { ...owner } }
        return claimFunding(work, [request, twin])
      })
    const draft = (attempt: number) => draftFunding(request, { attempt, service: deps.settings })
    const [first, second] = await claim()
    assert.deepEqual(first, draft(0))
    assert.deepEqual(second, draft(1), 'within one transaction')
    const taken = draft(0).addresses.find(({ field }) => field === 'accountNumber')
    await deps.db.read.run(
      sql`insert into funding_addresses (platform_id, owner_kind, owner_id, field, value)
          values (${mustParseId('platform', p.platformId)}, 'quote', ${newId('quote')}, ${taken?.field}, ${taken?.value})`,
    )
    const [third] = await claim()
    assert.deepEqual(third, draft(1), 'between transactions')
  })

  test('IACC-10 every number, address and reference leads to its account', async () => {
    const p = await newPlatform()
    const [usd] = await list(p, ofPlatform, { currency: 'USD' })
    const rows = await deps.db.read.many<{ field: string; value: string; ownerId: string }>(
      sql`select field, value, owner_id from funding_addresses
          where platform_id = ${mustParseId('platform', p.platformId)}
            and owner_id = ${mustParseId('internalAccount', text(usd?.id))}`,
    )
    const shown = items(usd?.fundingPaymentInstructions).flatMap((entry) => {
      const info = entry.accountOrWalletInfo
      return (['reference', 'accountNumber', 'address', 'invoice'] as const).flatMap((field) =>
        info[field] === undefined ? [] : [`${field} ${info[field]}`],
      )
    })
    assert.deepEqual(
      rows.map(({ field, value }) => `${field} ${value}`).toSorted(),
      shown.toSorted(),
    )
  })
})

describe('lists', () => {
  test('IACC-5 filters are checked and combine', async () => {
    const p = await newPlatform()
    const id = await customer(p)
    for (const path of [ofCustomers, ofPlatform] as const) {
      expectFields(await p.api.get(path, { query: { currency: 'usd' } }), ['currency'])
      expectFields(await p.api.get(path, { query: { currency: 'TOOLONG' } }), ['currency'])
      expectFields(await p.api.get(path, { query: { type: 'CASH' } }), ['type'])
      assert.deepEqual(await list(p, path, { currency: 'ZZZ' }), [])
      assert.deepEqual(await list(p, path, { currency: 'USD', type: 'INTERNAL_CRYPTO' }), [])
      const crypto = await list(p, path, { type: 'INTERNAL_CRYPTO' })
      assert.deepEqual(currenciesOf(crypto), ['BTC', 'USDC'])
    }
    expectFields(await p.api.get(ofCustomers, { query: { customerId: 'nobody' } }), ['customerId'])
    expectFields(await p.api.get(ofCustomers, { query: { limit: 0 } }), ['limit'])
    const both = await list(p, ofCustomers, { customerId: id, currency: 'MXN' })
    assert.deepEqual(currenciesOf(both), ['MXN'])
  })

  test('CORE-4 an unknown or foreign customer is 404', async () => {
    const p = await newPlatform()
    const q = await newPlatform()
    const foreign = await customer(q)
    for (const customerId of [foreign, `Customer:${newId('customer')}`]) {
      const answer = await p.api.get(ofCustomers, { query: { customerId } })
      expectError(answer, 404, 'USER_NOT_FOUND')
    }
  })

  test('CORE-50 pages show every account once, newest first, with a total', async () => {
    const p = await newPlatform({ currencies: ['USD', 'EUR'] })
    for (let n = 0; n < 4; n += 1) await customer(p)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const query = { limit: 3, ...(cursor && { cursor }) }
      const page = expectStatus(await p.api.get(ofCustomers, { query }), 200)
      assert.equal(page.totalCount, 8)
      seen.push(...page.data.map((account) => account.id))
      cursor = page.hasMore ? text(page.nextCursor) : undefined
    } while (cursor !== undefined)
    assert.equal(new Set(seen).size, 8)
    assert.deepEqual(seen, seen.toSorted().reverse())
    const first = expectStatus(await p.api.get(ofCustomers, { query: { limit: 1 } }), 200)
    const query = { cursor: text(first.nextCursor), currency: 'USD' }
    expectFields(await p.api.get(ofCustomers, { query }), ['cursor'])
  })

  test('IACC-6 neither list shows the other’s accounts; a deleted customer’s are listed only under that customer', async () => {
    const p = await newPlatform({ currencies: ['USD'] })
    const id = await customer(p)
    const [own] = await list(p, ofPlatform)
    const [his] = await list(p, ofCustomers)
    assert.notEqual(own?.id, his?.id)
    assert.equal((await list(p, ofCustomers)).length, 1)
    expectStatus(await p.api.delete(`/customers/${id}`), 200)
    assert.deepEqual(await list(p, ofCustomers), [])
    const [closed] = await list(p, ofCustomers, { customerId: id })
    assert.equal(closed?.id, his?.id)
    assert.equal(closed?.status, 'CLOSED')
    const emitted = await eventsOf(p, 'INTERNAL_ACCOUNT.STATUS_UPDATED')
    assert.equal(emitted.length, 1)
  })
})

describe('states', () => {
  const accountId = async (p: TestPlatform, currency = 'USD'): Promise<string> =>
    text((await list(p, ofPlatform, { currency }))[0]?.id)
  const fund = (p: TestPlatform, id: string, amount: number) =>
    p.api.post(`/sandbox/internal-accounts/${id}/fund`, { amount })
  const operate = <T>(
    p: TestPlatform,
    act: (work: Parameters<typeof freezeAccount>[0]) => Promise<T>,
  ): Promise<T> => inPlatform(deps, { platformId: p.platformId, action: 'test' }, act)

  test('IACC-8 scenario 17: a frozen account is refused, an unfrozen one takes money again', async () => {
    const p = await newPlatform()
    const id = await accountId(p)
    const inner = mustParseId('internalAccount', id)
    expectStatus(await fund(p, id, 100), 200)
    const frozen = await operate(p, (work) => freezeAccount(work, inner))
    assert.equal(frozen.status, 'FROZEN')
    assert.equal(frozen.balance.amount, 100)
    const details = expectError(await fund(p, id, 1), 403, 'USER_NOT_READY')
    assert.deepEqual(details, { accountId: id, accountStatus: 'FROZEN' })
    const [shown] = await list(p, ofPlatform, { currency: 'USD' })
    assert.equal(shown?.balance.amount, 100)
    await operate(p, (work) => unfreezeAccount(work, inner))
    assert.equal(expectStatus(await fund(p, id, 1), 200).balance.amount, 101)
    const emitted = await eventually(async () => {
      const events = await eventsOf(p, 'INTERNAL_ACCOUNT.STATUS_UPDATED')
      assert.equal(events.length, 2)
      return events
    })
    assert.deepEqual(
      emitted.map((event) => event.data?.['status']),
      ['ACTIVE', 'FROZEN'],
    )
  })

  test('a frozen account is not frozen again, and an unknown one is not found', async () => {
    const p = await newPlatform()
    const id = mustParseId('internalAccount', await accountId(p))
    await operate(p, (work) => freezeAccount(work, id))
    await assert.rejects(
      operate(p, (work) => freezeAccount(work, id)),
      { code: 'INVALID_STATE_TRANSITION' },
    )
    await assert.rejects(
      operate(p, (work) => unfreezeAccount(work, newId('internalAccount'))),
      { code: 'REFERENCE_NOT_FOUND' },
    )
  })

  test('CUST-62 CUST-63 a customer with money is not deleted; without, its accounts close', async () => {
    const p = await newPlatform({ currencies: ['USD', 'EUR'] })
    const customerId = await customer(p)
    const [usd] = await list(p, ofCustomers, { customerId, currency: 'USD' })
    const id = text(usd?.id)
    expectStatus(await fund(p, id, 5), 200)
    const details = expectError(await p.api.delete(`/customers/${customerId}`), 409, 'CONFLICT')
    assert.deepEqual(details, { reason: 'BALANCE', reasons: ['BALANCE'], accountIds: [id] })
    const [still] = await list(p, ofCustomers, { customerId, currency: 'EUR' })
    assert.equal(still?.status, 'ACTIVE')
    const without = await customer(p)
    expectStatus(await p.api.delete(`/customers/${without}`), 200)
    const closed = await list(p, ofCustomers, { customerId: without })
    assert.deepEqual(
      closed.map(({ status }) => status),
      ['CLOSED', 'CLOSED'],
    )
  })

  test('in production a bank opens the account first: pending, then active with what it reported', async () => {
    const p = await newPlatform({ environment: 'PRODUCTION' })
    const [usd] = await list(p, ofPlatform, { currency: 'USD' })
    assert.equal(usd?.status, 'PENDING')
    assert.deepEqual(usd.fundingPaymentInstructions, [])
    const id = mustParseId('internalAccount', usd.id)
    const info = { accountType: 'SOLANA_WALLET', assetType: 'USDC', address: 'reported' }
    await operate(p, (work) => provisionAccount(work, id, [info]))
    const [opened] = await list(p, ofPlatform, { currency: 'USD' })
    assert.equal(opened?.status, 'ACTIVE')
    assert.deepEqual(opened.fundingPaymentInstructions, [
      { isPlatformAccount: true, accountOrWalletInfo: info },
    ])
    assert.equal((await eventsOf(p, 'INTERNAL_ACCOUNT.STATUS_UPDATED')).length, 1)
    assert.equal((await eventsOf(p, 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED')).length, 1)
    await assert.rejects(
      operate(p, (work) => provisionAccount(work, id, [info])),
      { code: 'INVALID_STATE_TRANSITION' },
    )
  })
})
