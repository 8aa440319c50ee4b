import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectStatus, type Answer } from '../../../../test/kit/api.ts'
import { readCustomer } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { completePerson } from '../../../../test/kit/onboarding/verification.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { rowsReadBy } from '../../../../test/kit/database/rows-read.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { asId, mustParseId } from '../../../kernel/ids.ts'
import { countCustomers, findParts, listCustomerRows, listCustomersOfAll } from './store.ts'
import type { ListFilters, Place } from './store.ts'

const kit = await startOwnKit()
const { read } = kit.florin.deps.db
const platform = await kit.platform({ kind: 'UNREGULATED' })
const { api } = platform
const platformId = mustParseId('platform', platform.platformId)

const CUSTOMERS = 20_000
const START = new Date('2026-01-01T00:00:00.000Z')
const at = (second: number): Date => new Date(START.getTime() + second * 1000)
const idOf = (n: number) =>
  asId('customer', `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`)

/**
 * Customer n is made in second n. Every tenth is a business, every hundredth deleted; even ones are German and have
 * euros alone, so that there is no German with dollars; every thousandth was changed a year later.
 */
// As a long transaction: a busy machine may need longer for so many rows than a request may take.
await kit.florin.deps.db.transaction(
  async (tx) => {
    await tx.run(sql`insert into customers (platform_id, id, customer_type, platform_customer_id, uma_address, region, currencies,
        currencies_explicit, status, profile, is_deleted, created_at, updated_at)
      select ${platformId}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        case when n % 10 = 0 then 'BUSINESS' else 'INDIVIDUAL' end, 'p' || n, '$' || n || '@x.example',
        case when n % 2 = 0 then 'DE' when n % 3 = 0 then 'US' end,
        case when n % 2 = 0 then '{EUR}' else '{USD,EUR}' end::text[], true, 'APPROVED', '{"businessInfo": {}}',
        n % 100 = 0, ${START}::timestamptz + n * interval '1 second',
        ${START}::timestamptz + n * interval '1 second'
          + case when n % 1000 = 7 then interval '1 year' else interval '0' end
      from generate_series(1, ${CUSTOMERS}) n`)
    await tx.run(sql`insert into customer_currencies
      select platform_id, unnest(currencies), customer_type, is_deleted, created_at, id, region, updated_at
      from customers`)
    await tx.run(sql`insert into uma_addresses select platform_id, uma_address, id from customers`)
    await tx.run(sql`analyze customers, customer_currencies, uma_addresses`)
  },
  { isLong: true },
)

type Row = Readonly<{ n: number; isShown: boolean }>

/** What a list must show, by the same rules in another language. */
function expected(filters: ListFilters): number[] {
  const rows: Row[] = Array.from({ length: CUSTOMERS }, (_, index) => {
    const n = index + 1
    const region = n % 2 === 0 ? 'DE' : n % 3 === 0 ? 'US' : undefined
    const updated = n % 1000 === 7 ? at(n + 365 * 86_400) : at(n)
    const isShown = [
      filters.isIncludingDeleted || n % 100 !== 0,
      !filters.customerType || (filters.customerType === 'BUSINESS') === (n % 10 === 0),
      !filters.region || filters.region === region,
      !filters.currency || filters.currency === 'EUR' || n % 2 === 1,
      !filters.createdAfter || at(n) >= filters.createdAfter,
      !filters.createdBefore || at(n) < filters.createdBefore,
      !filters.updatedAfter || updated >= filters.updatedAfter,
      !filters.updatedBefore || updated < filters.updatedBefore,
      !filters.platformCustomerId || filters.platformCustomerId === `p${n}`,
      !filters.umaAddress || filters.umaAddress === `$${n}@x.example`,
    ].every(Boolean)
    return { n, isShown }
  })
  return rows
    .filter(({ isShown }) => isShown)
    .map(({ n }) => n)
    .toReversed()
}

/** Explained, a count has no row to answer with. */
const countingWith = (tx: Tx): Tx => ({
  ...tx,
  one: async <R>(query: Sql) => (await tx.many<R>(query))[0] ?? ({} as R),
})

const LIMIT = 21
/** Up to four ranges are read, each as far as the page could go, and the page itself. */
const ROWS_READ_MAX = 5 * LIMIT

const day = (n: number): Date => at(n * 86_400)

const CASES: readonly (readonly [name: string, filters: Partial<ListFilters>])[] = [
  ['no filter', {}],
  ['type', { customerType: 'BUSINESS' }],
  ['deleted too', { isIncludingDeleted: true }],
  ['region', { region: 'DE' }],
  ['region that nobody has', { region: 'FR' }],
  ['currency', { currency: 'USD' }],
  ['region and currency, each common, never together', { region: 'DE', currency: 'USD' }],
  ['region, currency, type', { region: 'US', currency: 'USD', customerType: 'INDIVIDUAL' }],
  ['region, currency, deleted too', { region: 'DE', currency: 'EUR', isIncludingDeleted: true }],
  ['created long ago', { createdBefore: at(300) }],
  [
    'created in a while, of a currency',
    { createdAfter: at(900), createdBefore: at(1900), currency: 'USD' },
  ],
  ['changed lately: few', { updatedAfter: day(300) }],
  ['changed lately: few, of a currency', { updatedAfter: day(300), currency: 'EUR' }],
  ['changed at any time: many', { updatedAfter: at(1) }],
  ['changed before: many', { updatedBefore: at(15_000) }],
  ['changed, region, currency: many', { updatedAfter: at(1), region: 'US', currency: 'USD' }],
  ['platformCustomerId', { platformCustomerId: 'p777' }],
  ['umaAddress', { umaAddress: '$777@x.example' }],
]

describe('CORE-52 a page costs the same wherever it lies and however many there are', () => {
  for (const [name, some] of CASES) {
    test(name, async () => {
      const filters: ListFilters = { isIncludingDeleted: false, ...some }
      const whole = expected(filters)
      const parts = await findParts(read, platformId, filters)
      const list = (tx: Tx, after?: Place) =>
        listCustomerRows(tx, platformId, { parts, after, limit: LIMIT })
      assert.equal(
        await countCustomers(read, { parts, max: 10_000 }),
        Math.min(whole.length, 10_000),
      )
      for (const from of [0, 1, Math.floor(whole.length / 2), whole.length - 5]) {
        if (from < 0 || from >= whole.length) continue
        const before = from === 0 ? undefined : (whole[from - 1] as number)
        const after = before && { createdAt: at(before), id: idOf(before) }
        const rows = await list(read, after || undefined)
        assert.deepEqual(
          rows.map(({ id }) => id),
          whole.slice(from, from + LIMIT).map(idOf),
        )
        const cost = await rowsReadBy(read, (tx) => list(tx, after || undefined))
        const isSound = cost >= rows.length && cost <= ROWS_READ_MAX
        assert.ok(isSound, `${cost} rows read from place ${from}`)
      }
    })
  }
})

describe('CUST-41 who was changed in a while is found, also when created before it', () => {
  const whiles = [
    { updatedAfter: at(10_000) },
    { updatedAfter: at(5_000), updatedBefore: at(15_000) },
    { updatedBefore: at(15_000) },
    { updatedAfter: at(10_000), createdBefore: at(5_000) },
    { updatedAfter: at(10_000), createdBefore: at(15_000), createdAfter: at(5_000) },
    { updatedAfter: at(10_000), createdAfter: at(15_000) },
  ]
  for (const [n, some] of whiles.entries()) {
    test(`${n}: ${Object.keys(some).join(' and ')}`, async () => {
      const filters: ListFilters = { isIncludingDeleted: false, currency: 'EUR', ...some }
      const parts = await findParts(read, platformId, filters)
      const all = { parts, after: undefined, limit: CUSTOMERS }
      const rows = await listCustomerRows(read, platformId, all)
      assert.deepEqual(
        rows.map(({ id }) => id),
        expected(filters).map(idOf),
      )
      assert.equal(await countCustomers(read, { parts, max: CUSTOMERS }), rows.length)
    })
  }
})

describe('CORE-52 the time of a change is read beside the currency, and no customer is looked up for it', () => {
  const filters = { isIncludingDeleted: true, updatedAfter: at(10_000), currency: 'EUR' }

  test('by a count', async () => {
    const parts = await findParts(read, platformId, filters)
    const max = CUSTOMERS
    const cost = await rowsReadBy(read, (tx) => countCustomers(countingWith(tx), { parts, max }))
    const found = expected(filters).length
    assert.ok(cost >= found && cost <= CUSTOMERS, `${cost} rows read for ${found}`)
  })

  test('by a page', async () => {
    const parts = await findParts(read, platformId, filters)
    const page = { parts, after: undefined, limit: 5_000 }
    const cost = await rowsReadBy(read, (tx) => listCustomerRows(tx, platformId, page))
    const both = page.limit * 2
    assert.ok(cost >= both && cost < 1.2 * both, `${cost} rows read`)
  })
})

describe('CORE-52 a page over all platforms costs the same wherever it lies', () => {
  const asked: readonly (readonly [string, Pick<ListFilters, 'status' | 'customerType'>])[] = [
    ['no filter', {}],
    ['type', { customerType: 'BUSINESS' }],
    ['a common status', { status: 'APPROVED' }],
    ['a status that few have', { status: 'HOLD' }],
  ]
  for (const [name, filters] of asked) {
    test(name, async () => {
      const whole =
        filters.status === 'HOLD' ? [] : expected({ ...filters, isIncludingDeleted: false })
      for (const from of [0, Math.floor(whole.length / 2)]) {
        const before = whole[from - 1]
        const after = before === undefined ? undefined : { createdAt: at(before), id: idOf(before) }
        const list = (tx: Tx) => listCustomersOfAll(tx, null, { filters, after, limit: LIMIT })
        assert.deepEqual(
          (await list(read)).map(({ customer }) => customer.id),
          whole.slice(from, from + LIMIT).map(idOf),
        )
        const cost = await rowsReadBy(read, list)
        assert.ok(cost <= ROWS_READ_MAX, `${cost} rows read from place ${from}`)
      }
    })
  }
})

test('CORE-51 counting stops at the cap', async () => {
  const parts = await findParts(read, platformId, { isIncludingDeleted: true })
  assert.equal(await countCustomers(read, { parts, max: 50 }), 50)
  const cost = await rowsReadBy(read, (tx) => countCustomers(countingWith(tx), { parts, max: 50 }))
  assert.ok(cost > 0 && cost <= 4 * 50, `${cost} rows read`)
})

describe('CUST-41 a list by currency knows when a customer was changed', () => {
  const supportedCurrencies = ['USD', 'GBP'].map((currencyCode) => ({
    currencyCode,
    minAmount: 1,
    maxAmount: 1000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['OUTGOING'],
  }))
  const changes: readonly (readonly [string, (id: string) => Promise<Answer>])[] = [
    [
      'by an update',
      (id) => api.patch(`/customers/${id}`, { customerType: 'INDIVIDUAL', fullName: 'Ada' }),
    ],
    ['by its submission for verification', (id) => api.post('/verifications', { customerId: id })],
    ['by a new currency of its platform', () => api.patch('/config', { supportedCurrencies })],
    ['by its deletion', (id) => api.delete(`/customers/${id}`)],
  ]
  for (const [how, change] of changes) {
    test(how, async () => {
      const before = await completePerson(platform)
      await advance(platform, 1)
      const { status, text } = await change(before.id)
      assert.ok(status < 300, text)
      // What follows from the change is done before the clock says that it has moved.
      await advance(platform, 3600)
      const after = await readCustomer(platform, before)
      assert.ok(after.updatedAt > before.updatedAt)
      const isListed = async (updatedBefore: string): Promise<boolean> => {
        const query = { currency: 'USD', updatedBefore, isIncludingDeleted: true }
        const { data } = expectStatus(await api.get('/customers', { query }), 200)
        return data.some(({ id }) => id === before.id)
      }
      assert.equal(await isListed(after.updatedAt), false)
      assert.equal(await isListed(new Date(Date.parse(after.updatedAt) + 1).toISOString()), true)
    })
  }
})
