import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newUuid } from '../../../kernel/ids.ts'
import { expectError, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { newCard } from '../../../../test/kit/cards.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import {
  createCustomer,
  currencyOf,
  listAccounts,
  listEvents,
  readCustomer,
} from '../../../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { fund, payee, payer, quote, readTransaction } from '../../../../test/kit/payments.ts'
import { mintBody, mintsOf, newStablecoin, postKeyed } from '../../../../test/kit/stablecoins.ts'

const kit = await startKit()
const p = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD', 'EUR'] })
const remove = (id: unknown) => p.api.delete(`/customers/${id}`)

test('CUST-60 CUST-61 CUST-43 a customer is deleted once, for good, and stays readable', async () => {
  const customer = await createCustomer(p, { fullName: 'Ana' })
  const deleted = expectStatus(await remove(customer.id), 200)
  const { isDeleted, updatedAt, ...rest } = deleted
  assert.equal(isDeleted, true)
  assert.ok(updatedAt >= customer.updatedAt)
  assert.deepEqual({ ...customer, ...rest }, customer)
  expectError(await remove(customer.id), 410, 'CUSTOMER_DELETED')
  assert.deepEqual(await readCustomer(p, customer), deleted)
})

describe('CUST-62 a customer with money held or under way is not deleted, and nothing changes', () => {
  const refused = async (platform: TestPlatform, customerId: unknown) =>
    expectError(await platform.api.delete(`/customers/${customerId}`), 409, 'CONFLICT')

  test('CUST-62 money in an account refuses the deletion with the account ids', async () => {
    const customer = await createCustomer(p)
    const accounts = await listAccounts(p, customer)
    const usd = accounts.find((account) => currencyOf(account) === 'USD')
    await fund(p, text(usd?.id), 1)
    assert.deepEqual(await refused(p, customer.id), {
      reason: 'BALANCE',
      reasons: ['BALANCE'],
      accountIds: [usd?.id],
    })
    assert.deepEqual(await readCustomer(p, customer), customer)
    for (const { status } of await listAccounts(p, customer)) assert.equal(status, 'ACTIVE')
  })

  test('CUST-62 a deposit under review is money in an account', async () => {
    const sandbox = await kit.platform()
    const { customerId, account } = await payer(sandbox, { funded: 0 })
    const listed = await listAccounts(sandbox, { id: customerId })
    const [info] = items(listed.find(({ id }) => id === account)?.fundingPaymentInstructions)
    const to = text(info?.accountOrWalletInfo.accountNumber)
    const arrived = `--amount 500 --currency USD --rail ACH --trace ${newUuid()} --to ${to}`
    const held = await operate(kit, `deposits receive ${arrived} --environment SANDBOX --review`)
    assert.equal(held['status'], 'HELD')
    const details = await refused(sandbox, customerId)
    assert.deepEqual([details['reason'], details['accountIds']], ['BALANCE', [account]])
    await operate(kit, `deposits return ${text(held['depositId'])}`)
    expectStatus(await sandbox.api.delete(`/customers/${customerId}`), 200)
  })

  test('CUST-62 a payment under way refuses the deletion until it ends; its refund counts as balance', async () => {
    const platform = await kit.platform()
    const { customerId, account } = await payer(platform, { funded: 700 })
    const to = await payee(platform, 'USD_ACCOUNT', { suffix: '005' })
    const body = { source: { accountId: account }, destination: { accountId: to }, amount: 700 }
    const { id } = expectStatus(await platform.api.post('/transfer-out', body), 201)
    assert.deepEqual(await refused(platform, customerId), {
      reason: 'PAYMENT_UNDER_WAY',
      reasons: ['PAYMENT_UNDER_WAY'],
      transactionIds: [id],
    })
    assert.equal((await readTransaction(platform, id)).status, 'PENDING')
    await advance(platform, 31)
    assert.equal((await refused(platform, customerId))['reason'], 'BALANCE')
  })

  test('CUST-62 a pull that has not ended moves no money yet, and counts', async () => {
    const platform = await kit.platform()
    const { customerId, account } = await payer(platform, { funded: 0 })
    const from = await payee(platform, 'USD_ACCOUNT', { suffix: '005', customerId })
    const body = { source: { accountId: from }, destination: { accountId: account }, amount: 700 }
    const { id } = expectStatus(await platform.api.post('/transfer-in', body), 201)
    const details = await refused(platform, customerId)
    assert.deepEqual([details['reason'], details['transactionIds']], ['PAYMENT_UNDER_WAY', [id]])
    await advance(platform, 31)
    expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
  })

  test('CUST-62 a failed refund refuses the deletion until it is retried', async () => {
    const platform = await kit.platform()
    const { customerId, account: from } = await payer(platform, { funded: 700 })
    const to = await payee(platform, 'USD_ACCOUNT', { suffix: '007' })
    const paid = await quote(platform, { from, to, amount: 700, immediatelyExecute: true })
    const id = expectStatus(paid, 201).transactionId
    assert.deepEqual(await refused(platform, customerId), {
      reason: 'REFUND_FAILED',
      reasons: ['REFUND_FAILED'],
      transactionIds: [id],
    })
    await operate(kit, `refunds retry ${id}`)
    assert.equal((await refused(platform, customerId))['reason'], 'BALANCE')
  })

  test('CUST-62 an open card authorization refuses the deletion until its reserve is spent', async () => {
    const platform = await kit.platform()
    const card = await newCard(platform, { funds: 100 })
    const authorized = await card.authorize(100)
    assert.deepEqual(await refused(platform, card.customerId), {
      reason: 'CARD_AUTHORIZATION_OPEN',
      reasons: ['CARD_AUTHORIZATION_OPEN'],
      cardTransactionIds: [authorized.id],
    })
    assert.equal((await card.read()).state, 'ACTIVE')
    await card.clear(authorized, 100)
    expectStatus(await platform.api.delete(`/customers/${card.customerId}`), 200)
  })

  test('CUST-62 CUST-69 a coin order with one of its accounts refuses the deletion until it is final', async () => {
    const platform = await kit.platform()
    const { api } = platform
    const { customerId } = await payer(platform, { funded: 0 })
    const coin = await newStablecoin(api)
    const wallet = await payee(platform, 'SPARK_WALLET', { customerId })
    const minted = expectStatus(await postKeyed(api, mintsOf(coin), mintBody(wallet)), 201)
    assert.deepEqual(await refused(platform, customerId), {
      reason: 'STABLECOIN_OPERATION_OPEN',
      reasons: ['STABLECOIN_OPERATION_OPEN'],
      stablecoinOperationIds: [minted.id],
    })
    await advance(platform, 61)
    expectStatus(await api.delete(`/customers/${customerId}`), 200)
    const again = await postKeyed(api, mintsOf(coin), mintBody(wallet))
    expectError(again, 404, 'USER_NOT_FOUND')
  })

  test('CUST-62 all reasons are named, in a fixed order', async () => {
    const platform = await kit.platform()
    const { customerId, account: from } = await payer(platform, { funded: 1000 })
    const failing = await payee(platform, 'USD_ACCOUNT', { suffix: '007' })
    const slow = await payee(platform, 'USD_ACCOUNT', { suffix: '005' })
    const body = { source: { accountId: from }, destination: { accountId: slow }, amount: 100 }
    const lost = await quote(platform, { from, to: failing, amount: 100, immediatelyExecute: true })
    const { transactionId } = expectStatus(lost, 201)
    const { id } = expectStatus(await platform.api.post('/transfer-out', body), 201)
    assert.deepEqual(await refused(platform, customerId), {
      reason: 'BALANCE',
      reasons: ['BALANCE', 'PAYMENT_UNDER_WAY', 'REFUND_FAILED'],
      accountIds: [from],
      transactionIds: [id, transactionId],
    })
  })
})

test('CUST-63 the accounts are closed in the same transaction, with events', async () => {
  const customer = await createCustomer(p)
  expectStatus(await remove(customer.id), 200)
  const accounts = await listAccounts(p, customer)
  assert.equal(accounts.length, 2)
  for (const { status } of accounts) assert.equal(status, 'CLOSED')
  const emitted = (await listEvents(p)).filter(
    ({ data }) => data.customerId === customer.id || data.id === customer.id,
  )
  assert.deepEqual(
    emitted.map(({ type }) => type),
    ['INTERNAL_ACCOUNT.STATUS_UPDATED', 'INTERNAL_ACCOUNT.STATUS_UPDATED'],
    'deletion itself emits nothing of its own',
  )
})

test('CUST-64 every other write on a deleted customer answers not found', async () => {
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

test('CUST-65 lists omit deleted customers unless asked to include them', async () => {
  const own = await kit.platform()
  const kept = await createCustomer(own, { platformCustomerId: 'x', currencies: ['USD'] })
  const gone = await createCustomer(own, {
    platformCustomerId: 'gone',
    currencies: ['USD'],
    region: 'US',
  })
  expectStatus(await own.api.delete(`/customers/${gone.id}`), 200)
  const list = async (query: Record<string, string | boolean>): Promise<unknown[]> =>
    expectStatus(await own.api.get('/customers', { query }), 200).data.map(({ id }) => id)
  assert.deepEqual(await list({}), [kept.id])
  assert.deepEqual(await list({ isIncludingDeleted: false }), [kept.id])
  assert.deepEqual(await list({ isIncludingDeleted: true }), [gone.id, kept.id])
  assert.deepEqual(await list({ currency: 'USD' }), [kept.id])
  assert.deepEqual(await list({ currency: 'USD', isIncludingDeleted: true }), [gone.id, kept.id])
  for (const query of [
    { region: 'US' },
    { region: 'US', currency: 'USD' },
    { platformCustomerId: 'gone' },
    { umaAddress: gone.umaAddress },
  ]) {
    assert.deepEqual(await list(query), [], JSON.stringify(query))
    assert.deepEqual(await list({ ...query, isIncludingDeleted: true }), [gone.id])
  }
})
