/** CUST-62: a deletion and whatever moves the customer's money are judged in one order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { mustParseId } from '../../src/kernel/ids.ts'
import { client, expectError, expectStatus, type Answer, type Api } from '../kit/api.ts'
import { MERCHANT, newCard, USD, type CardUnderTest } from '../kit/cards.ts'
import { advance } from '../kit/outside/connect-receiver.ts'
import { createCustomer } from '../kit/customers.ts'
import { MANY_CONNECTIONS, startOwnKit, type TestPlatform } from '../kit/florin.ts'
import { queueAtRow } from '../kit/database/meet-at-row.ts'
import { operate } from '../kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  execute,
  fund,
  payee,
  payer,
  platformAccount,
  quote,
  quoteBody,
  readTransaction,
} from '../kit/payments.ts'
import { mintBody, mintsOf, newStablecoin, postKeyed } from '../kit/stablecoins.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)
const neighbour = await kit.neighbour()
const ROUNDS = 6

const payeeRow = (id: string) =>
  sql`select 1 from external_accounts where id = ${mustParseId('externalAccount', id)} for update`

const customerRow = (id: string) =>
  sql`select 1 from customers where id = ${mustParseId('customer', id)} for update`

/** Both at once, from two processes of the service. */
function race<A>(platform: TestPlatform, customerId: string, other: (api: Api) => Promise<A>) {
  const far = client(neighbour, platform)
  return Promise.all([platform.api.delete(`/customers/${customerId}`), other(far)])
}

const isDeleted = ({ status }: Answer): boolean => status === 200

/** A slow payout, so that what was taken is still in transit when both have answered. */
const SLOW = { suffix: '003' }

test('CUST-62 CUST-69 a deletion against payouts to the customer’s account, by others and the platform', async () => {
  const { platform, account: others } = await payer(await kit.platform())
  const own = await platformAccount(platform, 'USD')
  await fund(platform, own, 100_000)
  for (let round = 0; round < ROUNDS; round += 1) {
    const { customerId } = await payer(platform, { funded: 0 })
    const to = await payee(platform, 'USD_ACCOUNT', { ...SLOW, customerId })
    const from = round % 2 ? own : others
    const body = quoteBody({ from, to, amount: 100, immediatelyExecute: true })
    const [deleted, paid] = await race(platform, customerId, (api) => api.post('/quotes', body))
    if (!isDeleted(deleted)) {
      assert.equal(expectError(deleted, 409, 'CONFLICT')['reason'], 'PAYMENT_UNDER_WAY')
      expectStatus(paid, 201)
    } else if (paid.status === 201) {
      // Another customer's payment that was taken before: it is that customer's own, and goes on.
      assert.equal(from, others)
    } else {
      expectError(paid, 404, 'USER_NOT_FOUND')
    }
  }
})

test('CUST-62 a payment that waits behind the deletion at the payee’s account finds the customer deleted', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const { customerId } = await payer(platform, { funded: 0 })
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const quoted = expectStatus(await quote(platform, { from, to, amount: 100 }), 201)
  const [deleted, executed, created] = await queueAtRow(kit, payeeRow(to), [
    () => platform.api.delete(`/customers/${customerId}`),
    () => execute(platform, quoted),
    () =>
      client(neighbour, platform).post(
        '/quotes',
        quoteBody({ from, to, amount: 100, immediatelyExecute: true }),
      ),
  ])
  assert.ok(deleted && executed && created)
  expectStatus(deleted, 200)
  const details = expectError(executed, 409, 'CONFLICT')
  assert.equal(details['reason'], 'DESTINATION_DELETED')
  expectError(created, 404, 'USER_NOT_FOUND')
  assert.equal(await balanceOf(platform, from), 100_000)
})

test('CUST-62 a deletion that waits behind a payment at the payee’s account sees it', async () => {
  const platform = await kit.platform()
  const from = await platformAccount(platform, 'USD')
  await fund(platform, from, 1_000)
  const { customerId } = await payer(platform, { funded: 0 })
  const to = await payee(platform, 'USD_ACCOUNT', { ...SLOW, customerId })
  const body = quoteBody({ from, to, amount: 100, immediatelyExecute: true })
  const [paid, deleted] = await queueAtRow(kit, payeeRow(to), [
    () => platform.api.post('/quotes', body),
    () => client(neighbour, platform).delete(`/customers/${customerId}`),
  ])
  assert.ok(paid && deleted)
  const { transactionId } = expectStatus(paid, 201)
  const details = expectError(deleted, 409, 'CONFLICT')
  assert.deepEqual(
    [details['reason'], details['transactionIds']],
    ['PAYMENT_UNDER_WAY', [transactionId]],
  )
})

test('CUST-62 a deletion against payments that only name the customer', async () => {
  const platform = await kit.platform()
  const from = await platformAccount(platform, 'USD')
  await fund(platform, from, 100_000)
  const to = await payee(platform, 'USD_ACCOUNT', SLOW)
  const order = (customerId: string) => ({
    ...quoteBody({ from, to, amount: 100, immediatelyExecute: true }),
    source: { sourceType: 'ACCOUNT', accountId: from, customerId },
  })
  const { customerId } = await payer(platform, { funded: 0 })
  const [deleted, paid] = await queueAtRow(kit, customerRow(customerId), [
    () => platform.api.delete(`/customers/${customerId}`),
    () => client(neighbour, platform).post('/quotes', order(customerId)),
  ])
  assert.ok(deleted && paid)
  expectStatus(deleted, 200)
  expectError(paid, 404, 'USER_NOT_FOUND')
  const second = (await payer(platform, { funded: 0 })).customerId
  const [first, refused] = await queueAtRow(kit, customerRow(second), [
    () => platform.api.post('/quotes', order(second)),
    () => client(neighbour, platform).delete(`/customers/${second}`),
  ])
  assert.ok(first && refused)
  expectStatus(first, 201)
  assert.equal(expectError(refused, 409, 'CONFLICT')['reason'], 'PAYMENT_UNDER_WAY')
})

test('CUST-62 a deletion against the customer’s own payments: never with money on its way', async () => {
  const platform = await kit.platform()
  for (let round = 0; round < ROUNDS; round += 1) {
    const { customerId, account } = await payer(platform, { funded: 0 })
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId, suffix: '005' })
    const pull = { source: { accountId: bank }, destination: { accountId: account }, amount: 100 }
    const [deleted, pulled] = await race(platform, customerId, (api) =>
      api.post('/transfer-in', pull),
    )
    if (isDeleted(deleted)) expectError(pulled, 404, 'USER_NOT_FOUND')
    else {
      assert.equal(expectError(deleted, 409, 'CONFLICT')['reason'], 'PAYMENT_UNDER_WAY')
      expectStatus(pulled, 201)
    }
  }
})

test('CUST-62 TXN-8 a deletion against a refund: refused, whichever is first', async () => {
  const platform = await kit.platform()
  for (let round = 0; round < ROUNDS; round += 1) {
    const { customerId, account } = await payer(platform, { funded: 100 })
    const to = await payee(platform, 'USD_ACCOUNT', { suffix: '005' })
    const body = { source: { accountId: account }, destination: { accountId: to }, amount: 100 }
    const { id } = expectStatus(await platform.api.post('/transfer-out', body), 201)
    const [deleted, cancelled] = await race(platform, customerId, (api) =>
      api.post(`/transactions/${id}/cancel`),
    )
    expectStatus(cancelled, 200)
    const { reason } = expectError(deleted, 409, 'CONFLICT')
    assert.ok(['PAYMENT_UNDER_WAY', 'BALANCE'].includes(String(reason)), String(reason))
    assert.equal(await balanceOf(platform, account), 100)
  }
})

test('CUST-62 TXN-7 a deletion against the retry of a failed refund: refused, whichever is first', async () => {
  const platform = await kit.platform()
  for (let round = 0; round < ROUNDS; round += 1) {
    const { customerId, account: from } = await payer(platform, { funded: 100 })
    const to = await payee(platform, 'USD_ACCOUNT', { suffix: '007' })
    const paid = await quote(platform, { from, to, amount: 100, immediatelyExecute: true })
    const id = expectStatus(paid, 201).transactionId
    const [deleted] = await Promise.all([
      client(neighbour, platform).delete(`/customers/${customerId}`),
      operate(kit, `refunds retry ${id}`),
    ])
    const { reason } = expectError(deleted, 409, 'CONFLICT')
    assert.ok(['REFUND_FAILED', 'BALANCE'].includes(String(reason)), String(reason))
    assert.equal(await balanceOf(platform, from), 100)
  }
})

test('CUST-62 TXN-8 a deletion against a return of a completed payment: the money lands, and is not lost', async () => {
  const platform = await kit.platform()
  for (let round = 0; round < 3; round += 1) {
    const { customerId, account: from } = await payer(platform, { funded: 100 })
    const to = await payee(platform, 'USD_ACCOUNT', { suffix: '005' })
    const paid = await quote(platform, { from, to, amount: 100, immediatelyExecute: true })
    const { transactionId } = expectStatus(paid, 201)
    const [deleted] = await Promise.all([
      client(neighbour, platform).delete(`/customers/${customerId}`),
      advance(platform, 31),
    ])
    const refund = (await readTransaction(platform, transactionId)).refund
    assert.equal(refund?.status, 'COMPLETED')
    const shown = await operate(kit, `accounts show ${from}`)
    assert.equal(shown['available'], 100)
    if (isDeleted(deleted)) {
      assert.equal((await operate(kit, `accounts return ${from} --reason returned`))['amount'], 100)
    } else {
      expectError(deleted, 409, 'CONFLICT')
    }
  }
})

const PURCHASE = { amount: 100, currency: USD, merchant: MERCHANT }

test('CUST-62 CARD-31 an authorization that waits behind the deletion is declined, one before it refuses it', async () => {
  const platform = await kit.platform()
  const queue = async (card: CardUnderTest, isDeletedFirst: boolean) => {
    const row = sql`select 1 from cards where id = ${mustParseId('card', card.id)} for update`
    const remove = () => client(neighbour, platform).delete(`/customers/${card.customerId}`)
    const authorize = () => card.simulate('authorization', PURCHASE)
    const order = isDeletedFirst ? ([remove, authorize] as const) : ([authorize, remove] as const)
    return queueAtRow(kit, row, order)
  }
  const [deleted, declined] = await queue(await newCard(platform, { funds: 0 }), true)
  expectStatus(deleted, 200)
  assert.equal(expectStatus(declined, 202).declineReason, 'CARD_CLOSED')
  const [authorized, refused] = await queue(await newCard(platform, { funds: 100 }), false)
  const { id, status } = expectStatus(authorized, 202)
  assert.equal(status, 'AUTHORIZED')
  const details = expectError(refused, 409, 'CONFLICT')
  assert.deepEqual(
    [details['reasons'], details['cardTransactionIds']],
    [['CARD_AUTHORIZATION_OPEN'], [id]],
  )
})

test('CUST-62 a deletion against a coin order to the customer’s wallet: one of the two', async () => {
  const platform = await kit.platform()
  const coin = await newStablecoin(platform.api)
  for (let round = 0; round < ROUNDS; round += 1) {
    const { customerId } = await payer(platform, { funded: 0 })
    const wallet = await payee(platform, 'SPARK_WALLET', { customerId })
    const [deleted, minted] = await race(platform, customerId, (api) =>
      postKeyed(api, mintsOf(coin), mintBody(wallet)),
    )
    if (isDeleted(deleted)) expectError(minted, 404, 'USER_NOT_FOUND')
    else {
      assert.equal(expectError(deleted, 409, 'CONFLICT')['reason'], 'STABLECOIN_OPERATION_OPEN')
      expectStatus(minted, 201)
    }
  }
})

async function rejected(platform: TestPlatform, funded: number) {
  const { id: customerId } = await createCustomer(platform, { fullName: 'Rea Jected 002' })
  const account = await customerAccount(platform, customerId, 'USD')
  await fund(platform, account, funded)
  return { customerId, account }
}

test('IACC-17 CUST-62 a deletion against a return: the money is the platform’s, once', async () => {
  const platform = await kit.platform()
  const own = await platformAccount(platform, 'USD')
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { customerId, account } = await rejected(platform, 100)
    const [deleted, returned] = await Promise.all([
      client(neighbour, platform).delete(`/customers/${customerId}`),
      operate(kit, `accounts return ${account} --reason offboarded`),
    ])
    assert.equal(returned['amount'], 100)
    if (!isDeleted(deleted)) {
      assert.equal(expectError(deleted, 409, 'CONFLICT')['reason'], 'BALANCE')
    }
    assert.equal(await balanceOf(platform, own), 100 * round)
  }
})

test('IACC-17 twenty returns of one balance: one moves the money', async () => {
  const platform = await kit.platform()
  const own = await platformAccount(platform, 'USD')
  const { account } = await rejected(platform, 5_000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      operate(kit, `accounts return ${account} --reason offboarded`),
    ),
  )
  const refused = outcomes.filter((one) => one.status === 'rejected')
  assert.equal(refused.length, 19)
  for (const { reason } of refused) {
    assert.deepEqual((reason as { details: unknown }).details, { reason: 'NOTHING_TO_RETURN' })
  }
  assert.equal(await balanceOf(platform, own), 5_000)
  const { data } = expectStatus(
    await platform.api.get('/events', { query: { type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED' } }),
    200,
  )
  assert.equal(data.length, 3, 'the funding, and both ends of one return')
})

test('IACC-17 returns under one reference: one of them', async () => {
  const platform = await kit.platform()
  const customers = await Promise.all(Array.from({ length: 5 }, () => rejected(platform, 10)))
  const outcomes = await Promise.allSettled(
    customers.map(({ account }) =>
      operate(kit, `accounts return ${account} --reason offboarded --reference case-1`),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await balanceOf(platform, await platformAccount(platform, 'USD')), 10)
})
