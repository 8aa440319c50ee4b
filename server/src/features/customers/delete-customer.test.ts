import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text } from '../../../test/kit/api.ts'
import {
  createCustomer,
  currencyOf,
  listAccounts,
  listEvents,
  readCustomer,
} from '../../../test/kit/customers.ts'
import { startKit } from '../../../test/kit/florin.ts'

const kit = await startKit()
const p = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD', 'EUR'] })
const remove = (id: unknown) => p.api.delete(`/customers/${id}`)

test('CUST-60 CUST-61 CUST-43 deleted once, for good, and still readable', async () => {
  const customer = await createCustomer(p, { fullName: 'Ana' })
  const deleted = expectStatus(await remove(customer['id']), 200)
  const { isDeleted, updatedAt, ...rest } = deleted
  assert.equal(isDeleted, true)
  assert.ok(text(updatedAt) >= text(customer['updatedAt']))
  assert.deepEqual({ ...customer, ...rest }, customer)
  expectError(await remove(customer['id']), 410, 'CUSTOMER_DELETED')
  assert.deepEqual(await readCustomer(p, customer), deleted)
})

test('CUST-62 with money in an account it is refused, and the accounts are named', async () => {
  const customer = await createCustomer(p)
  const accounts = await listAccounts(p, customer)
  const usd = accounts.find((account) => currencyOf(account) === 'USD')
  const fund = `/sandbox/internal-accounts/${usd?.['id']}/fund`
  expectStatus(await p.api.post(fund, { amount: 1 }), 200)
  const details = expectError(await remove(customer['id']), 409, 'CONFLICT')
  assert.deepEqual(details['accountIds'], [usd?.['id']])
  assert.deepEqual(await readCustomer(p, customer), customer)
  for (const { status } of await listAccounts(p, customer)) assert.equal(status, 'ACTIVE')
})

test('CUST-63 its accounts are closed in the same transaction, and told of', async () => {
  const customer = await createCustomer(p)
  expectStatus(await remove(customer['id']), 200)
  const accounts = await listAccounts(p, customer)
  assert.equal(accounts.length, 2)
  for (const { status } of accounts) assert.equal(status, 'CLOSED')
  const told = (await listEvents(p)).filter(
    ({ data }) => data?.['customerId'] === customer['id'] || data?.['id'] === customer['id'],
  )
  assert.deepEqual(
    told.map(({ type }) => type),
    ['INTERNAL_ACCOUNT.STATUS_UPDATED', 'INTERNAL_ACCOUNT.STATUS_UPDATED'],
    'deletion itself emits nothing of its own',
  )
})

test('CUST-64 every other write that names it finds nobody', async () => {
  const customer = await createCustomer(p, {
    region: 'DE',
    email: 'a@b.de',
    phoneNumber: '+4930123456',
  })
  const { id } = customer
  expectStatus(await remove(id), 200)
  for (const path of ['verify-email', 'verify-phone']) {
    expectError(await p.api.post(`/customers/${id}/${path}`), 404, 'USER_NOT_FOUND')
    const confirm = await p.api.post(`/customers/${id}/${path}/confirm`, { code: '123456' })
    expectError(confirm, 404, 'USER_NOT_FOUND')
  }
  const body = { customerType: 'INDIVIDUAL', fullName: 'X' }
  expectError(await p.api.patch(`/customers/${id}`, body), 404, 'USER_NOT_FOUND')
})

test('CUST-65 lists omit it unless they are asked to include it', async () => {
  const own = await kit.platform()
  const kept = await createCustomer(own, { platformCustomerId: 'x', currencies: ['USD'] })
  const gone = await createCustomer(own, {
    platformCustomerId: 'gone',
    currencies: ['USD'],
    region: 'US',
  })
  expectStatus(await own.api.delete(`/customers/${gone['id']}`), 200)
  const list = async (query: Record<string, string | boolean>): Promise<unknown[]> =>
    items(expectStatus(await own.api.get('/customers', { query }), 200)['data']).map(({ id }) => id)
  assert.deepEqual(await list({}), [kept['id']])
  assert.deepEqual(await list({ isIncludingDeleted: false }), [kept['id']])
  assert.deepEqual(await list({ isIncludingDeleted: true }), [gone['id'], kept['id']])
  assert.deepEqual(await list({ currency: 'USD' }), [kept['id']])
  assert.deepEqual(await list({ currency: 'USD', isIncludingDeleted: true }), [
    gone['id'],
    kept['id'],
  ])
  for (const query of [
    { region: 'US' },
    { region: 'US', currency: 'USD' },
    { platformCustomerId: 'gone' },
    { umaAddress: text(gone['umaAddress']) },
  ]) {
    assert.deepEqual(await list(query), [], JSON.stringify(query))
    assert.deepEqual(await list({ ...query, isIncludingDeleted: true }), [gone['id']])
  }
})
