import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Customer, CustomerListResponse } from '../../../../../sdk/src/index.ts'
import { expectFields, expectStatus, text, type Shown } from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { BUSINESS, createCustomer } from '../../../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'

const kit = await startKit()

type Query = Record<string, string | number | boolean>

const read = async (p: TestPlatform, query: Query = {}) =>
  expectStatus(await p.api.get('/customers', { query }), 200)

const idsOf = (page: Shown<CustomerListResponse>): string[] => page.data.map(({ id }) => id)

test('CUST-42 CORE-50 scenario 15: pages of ten without repeats, newest first', async () => {
  const p = await kit.platform()
  const made: string[] = []
  for (let n = 0; n < 25; n += 1) {
    made.unshift((await createCustomer(p, n % 3 === 0 ? BUSINESS : {})).id)
  }
  const first = await read(p, { limit: 10 })
  const second = await read(p, { limit: 10, cursor: text(first.nextCursor) })
  await createCustomer(p)
  const third = await read(p, { limit: 10, cursor: text(second.nextCursor) })
  assert.deepEqual([first, second, third].map(idsOf).flat(), made)
  assert.equal(first.totalCount, 25)
  assert.equal(first.hasMore, true)
  assert.equal(third.hasMore, false)
  assert.equal(third.nextCursor, undefined)
  assert.equal((await read(p)).data.length, 20, 'default 20')
  const other = await kit.platform()
  assert.deepEqual(await read(other), { data: [], hasMore: false, totalCount: 0 })
  const foreign = { cursor: text(first.nextCursor) }
  expectFields(await other.api.get('/customers', { query: foreign }), ['cursor'])
  const filtered = { customerType: 'BUSINESS', cursor: text(first.nextCursor) }
  expectFields(await p.api.get('/customers', { query: filtered }), ['cursor'])
})

/** Every filter, over customers that differ in all of them. */
describe('CUST-41 filters', async () => {
  const p = await kit.platform({ currencies: ['USD', 'EUR', 'MXN'] })
  const customers: Shown<Customer>[] = []
  const regions = ['US', 'DE', undefined]
  const currencies = [['USD'], ['EUR', 'USD'], undefined]
  for (const region of regions) {
    for (const list of currencies) {
      for (const base of [{}, BUSINESS]) {
        const body = { ...base, ...(region && { region }), ...(list && { currencies: list }) }
        customers.unshift(await createCustomer(p, body))
      }
    }
    await advance(p, 60)
  }
  const deleted = new Set<unknown>()
  for (const one of customers.filter((_, n) => n % 4 === 1)) {
    expectStatus(await p.api.delete(`/customers/${one.id}`), 200)
    deleted.add(one.id)
  }
  await advance(p, 60)
  for (const { id, customerType } of customers.filter((_, n) => n % 3 === 0)) {
    if (deleted.has(id)) continue
    expectStatus(await p.api.patch(`/customers/${id}`, { customerType, email: 'a@b.com' }), 200)
  }
  const { data: shown } = await read(p, { isIncludingDeleted: true, limit: 100 })

  type Filter = readonly [query: Query, keeps: (one: Shown<Customer>) => boolean]
  const created = customers.map(({ createdAt }) => createdAt)
  const middle = created[8] as string
  const updated = shown.map(({ updatedAt }) => updatedAt).toSorted()
  const late = updated[13] as string
  const dimensions: readonly (readonly Filter[])[] = [
    [
      [{}, () => true],
      [{ customerType: 'INDIVIDUAL' }, (one) => one.customerType === 'INDIVIDUAL'],
      [{ customerType: 'BUSINESS' }, (one) => one.customerType === 'BUSINESS'],
    ],
    [
      [{}, () => true],
      [{ region: 'DE' }, (one) => String(one.region) === 'DE'],
      [{ region: 'FR' }, () => false],
    ],
    [
      [{}, () => true],
      [{ currency: 'EUR' }, (one) => one.currencies.includes('EUR')],
      [{ currency: 'BRL' }, () => false],
    ],
    [
      [{}, (one) => !deleted.has(one.id)],
      [{ isIncludingDeleted: true }, () => true],
    ],
    [
      [{}, () => true],
      [{ createdAfter: middle }, (one) => one.createdAt >= middle],
      [{ createdBefore: middle }, (one) => one.createdAt < middle],
      [{ createdAfter: middle, createdBefore: middle }, () => false],
    ],
    [
      [{}, () => true],
      [{ updatedAfter: late }, (one) => one.updatedAt >= late],
      [{ updatedBefore: late }, (one) => one.updatedAt < late],
    ],
  ]
  const combine = (left: readonly Filter[], right: readonly Filter[]): Filter[] =>
    left.flatMap(([query, keeps]) =>
      right.map(([more, also]): Filter => [
        { ...query, ...more },
        (one) => keeps(one) && also(one),
      ]),
    )

  test('every combination shows exactly its customers, in order, with their number', async () => {
    const combinations = dimensions.reduce(combine)
    assert.equal(combinations.length, 3 * 3 * 3 * 2 * 4 * 3)
    for (const [query, keeps] of combinations) {
      const expected = shown.filter(keeps).map(({ id }) => id)
      const page = await read(p, { ...query, limit: 100 })
      assert.deepEqual(idsOf(page), expected, JSON.stringify(query))
      assert.equal(page.totalCount, expected.length)
    }
  })

  test('pages of two under filters add up to the whole', async () => {
    for (const query of [
      { currency: 'USD', isIncludingDeleted: true },
      { region: 'US', currency: 'USD' },
      { updatedAfter: late, isIncludingDeleted: true },
      { customerType: 'BUSINESS' },
    ]) {
      const whole = idsOf(await read(p, { ...query, limit: 100 }))
      assert.ok(whole.length > 2)
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await read(p, { ...query, limit: 2, ...(cursor && { cursor }) })
        found.push(...idsOf(page))
        cursor = page.nextCursor && page.nextCursor
      } while (cursor)
      assert.deepEqual(found, whole, JSON.stringify(query))
    }
  })

  test('platformCustomerId is exact, umaAddress knows no case, both combine with the rest', async () => {
    const [one] = shown.filter(({ id }) => !deleted.has(id))
    assert.ok(one)
    const { id, platformCustomerId, umaAddress, customerType } = one
    const own = { platformCustomerId: platformCustomerId }
    assert.deepEqual(idsOf(await read(p, own)), [id])
    assert.deepEqual(idsOf(await read(p, { umaAddress: umaAddress.toUpperCase() })), [id])
    const other = customerType === 'BUSINESS' ? 'INDIVIDUAL' : 'BUSINESS'
    assert.deepEqual(idsOf(await read(p, { ...own, customerType: other })), [])
    assert.deepEqual(idsOf(await read(p, { ...own, umaAddress: umaAddress })), [id])
    assert.deepEqual(idsOf(await read(p, { platformCustomerId: 'nobody' })), [])
    assert.deepEqual(idsOf(await read(p, { umaAddress: '$nobody@nowhere.example' })), [])
  })

  test('a malformed value is refused at its parameter, all at once', async () => {
    const query = {
      customerType: 'PERSON',
      region: 'Germany',
      currency: 'usd',
      umaAddress: 'ana',
      createdAfter: 'yesterday',
      createdBefore: '2026-02-30',
      updatedAfter: '1',
      updatedBefore: '2026-13-01T00:00:00Z',
      isIncludingDeleted: 'yes',
      limit: 0,
      platformCustomerId: '',
    }
    expectFields(await p.api.get('/customers', { query }), Object.keys(query))
  })
})
