import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type HasId } from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import {
  createCustomer,
  currencyOf,
  listAccounts,
  readCustomer,
} from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()

async function setCurrencies({ api }: TestPlatform, codes: readonly string[]): Promise<void> {
  const supportedCurrencies = codes.map((currencyCode) => ({
    currencyCode,
    minAmount: 1,
    maxAmount: 1000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['OUTGOING'],
  }))
  expectStatus(await api.patch('/config', { supportedCurrencies }), 200)
}

const accountsOf = async (p: TestPlatform, customer: HasId): Promise<string[]> =>
  (await listAccounts(p, customer)).map(currencyOf).toSorted()

test('CFG-10 IACC-3 customers without an explicit list follow the platform, the others do not', async () => {
  const p = await kit.platform({ currencies: ['USD'] })
  const follower = await createCustomer(p)
  const explicit = await createCustomer(p, { currencies: ['USD'] })
  const turned = await createCustomer(p)
  const list = { customerType: 'INDIVIDUAL', currencies: ['USD'] }
  expectStatus(await p.api.patch(`/customers/${turned.id}`, list), 200)
  const gone = await createCustomer(p)
  expectStatus(await p.api.delete(`/customers/${gone.id}`), 200)
  await setCurrencies(p, ['EUR', 'USD', 'BTC'])
  const followed = await eventually(async () => {
    const now = await readCustomer(p, follower)
    assert.deepEqual(now.currencies, ['USD', 'EUR', 'BTC'], 'appended, in the platform’s order')
    return now
  })
  assert.ok(followed.updatedAt > follower.updatedAt)
  assert.deepEqual(await accountsOf(p, follower), ['BTC', 'EUR', 'USD'])
  for (const one of [explicit, turned]) {
    assert.deepEqual((await readCustomer(p, one)).currencies, ['USD'])
    assert.deepEqual(await accountsOf(p, one), ['USD'])
  }
  assert.deepEqual((await readCustomer(p, gone)).currencies, ['USD'])
  const listed = await p.api.get('/customers', { query: { currency: 'BTC' } })
  assert.deepEqual(
    expectStatus(listed, 200).data.map(({ id }) => id),
    [follower.id],
  )
})

test('IACC-3 IACC-11 a long name of rare characters keeps no customer from following', async () => {
  const p = await kit.platform({ currencies: ['USD'] })
  const renamed = await Promise.all(
    ['A', 'AA'].map(async (first) => {
      const customer = await createCustomer(p)
      const name = { customerType: 'INDIVIDUAL', fullName: first + '😀'.repeat(250) }
      expectStatus(await p.api.patch(`/customers/${customer.id}`, name), 200)
      return customer
    }),
  )
  await setCurrencies(p, ['USD', 'EUR'])
  await advance(p, 1)
  for (const customer of renamed) assert.deepEqual(await accountsOf(p, customer), ['EUR', 'USD'])
})

test('IACC-3 new currencies are appended before the next clock call answers', async () => {
  const p = await kit.platform({ currencies: ['USD'] })
  const follower = await createCustomer(p)
  await setCurrencies(p, ['USD', 'EUR'])
  await advance(p, 1)
  assert.deepEqual((await readCustomer(p, follower)).currencies, ['USD', 'EUR'])
})

test('CFG-11 a removed currency stays with those who have it, and comes back without a second account', async () => {
  const p = await kit.platform({ currencies: ['USD', 'EUR'] })
  const old = await createCustomer(p)
  await setCurrencies(p, ['USD'])
  const young = await createCustomer(p)
  assert.deepEqual((await readCustomer(p, old)).currencies, ['USD', 'EUR'])
  assert.deepEqual(young.currencies, ['USD'])
  await setCurrencies(p, ['USD', 'EUR'])
  await eventually(async () =>
    assert.deepEqual((await readCustomer(p, young)).currencies, ['USD', 'EUR']),
  )
  assert.deepEqual((await readCustomer(p, old)).currencies, ['USD', 'EUR'])
  assert.deepEqual(await accountsOf(p, old), ['EUR', 'USD'])
})

test('CFG-10 more customers than one transaction takes are all reached', async () => {
  const p = await kit.platform({ currencies: ['USD'] })
  const { id, ...model } = await createCustomer(p)
  assert.ok(model)
  const { db } = kit.florin.deps
  await db.read.run(
    sql`insert into customers (platform_id, id, customer_type, platform_customer_id, uma_address, currencies,
          currencies_explicit, status, profile, created_at, updated_at)
        select platform_id, gen_random_uuid(), customer_type, 'p' || n, uma_address || n, currencies, false, status,
          profile, created_at, updated_at
        from customers, generate_series(1, 1200) n where id = ${id.replace('Customer:', '')}`,
  )
  await setCurrencies(p, ['USD', 'EUR'])
  await eventually(async () => {
    const { count } = await db.read.one<{ count: bigint }>(
      sql`select count(*) from customers c join internal_accounts a on a.customer_id = c.id and a.currency = 'EUR'
          where c.currencies = '{USD,EUR}' and c.platform_id = ${p.platformId.replace('Platform:', '')}`,
    )
    assert.equal(count, 1201n)
  }, 30_000)
})
