/** What a platform's `enabledTransactionTypes` binds (CFG-9): what leaves in a currency, and what arrives in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, type Answer } from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import {
  balanceOf,
  customerAccount,
  execute,
  fund,
  payee,
  payer,
  platformAccount,
  quote,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { umaAddressOf } from '../../../../test/kit/uma.ts'

const kit = await startKit()

type TransactionTypes = readonly ('INCOMING' | 'OUTGOING')[]

/** Lists the platform's currencies as they are, but for what one of them may do. */
async function allow({ api }: TestPlatform, code: string, types: TransactionTypes): Promise<void> {
  const config = expectStatus(await api.get('/config'), 200)
  const supportedCurrencies = config.supportedCurrencies.map((one) =>
    one.currencyCode === code ? { ...one, enabledTransactionTypes: types } : one,
  )
  expectStatus(await api.patch('/config', { supportedCurrencies }), 200)
}

function expectClosed(answer: Answer, currency: string, transactionType: string): void {
  assert.deepEqual(expectError(answer, 400, 'INVALID_CURRENCY'), { currency, transactionType })
}

const transfer = (
  { api }: TestPlatform,
  path: string,
  { from, to }: Readonly<{ from: string; to: string }>,
) => api.post(path, { source: { accountId: from }, destination: { accountId: to }, amount: 100 })

const receive = ({ api }: TestPlatform, customerId: string, currency = 'USD') =>
  api.post('/sandbox/uma/receive', {
    senderUmaAddress: '$success.usd@sandbox.uma.test',
    customerId,
    receivingCurrencyCode: currency,
    receivingCurrencyAmount: 500,
  })

test('CFG-9 scenario 23: without INCOMING nothing is taken in, but for what is there already', async () => {
  const { platform, customerId, account } = await payer(await kit.platform())
  const eur = await customerAccount(platform, customerId, 'EUR')
  await fund(platform, eur, 10_000)
  const own = await platformAccount(platform, 'USD')
  const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
  const ownBank = await payee(platform, 'USD_ACCOUNT')
  await allow(platform, 'USD', ['OUTGOING'])
  expectClosed(await receive(platform, customerId), 'USD', 'INCOMING')
  expectClosed(
    await transfer(platform, '/transfer-in', { from: bank, to: account }),
    'USD',
    'INCOMING',
  )
  for (const [from, to] of [
    [eur, account],
    [eur, own],
    [bank, account],
    [ownBank, own],
  ] as const) {
    expectClosed(await quote(platform, { from, to, amount: 1_000 }), 'USD', 'INCOMING')
  }
  await fund(platform, account, 1)
  assert.equal(await balanceOf(platform, account), 100_001)
  const sent = expectStatus(await quote(platform, { from: account, to: ownBank, amount: 100 }), 201)
  expectStatus(await execute(platform, sent), 200)
})

test('QUOTE-25 it is asked again at execution, and of just-in-time funds as they arrive', async () => {
  const { platform, customerId, account } = await payer(await kit.platform())
  const eur = await customerAccount(platform, customerId, 'EUR')
  const made = expectStatus(await quote(platform, { from: account, to: eur, amount: 1_000 }), 201)
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId }
  const waiting = expectStatus(
    await quote(platform, { from: '', to: eur, amount: 1_000, source }),
    201,
  )
  await allow(platform, 'EUR', ['OUTGOING'])
  expectClosed(await execute(platform, made), 'EUR', 'INCOMING')
  assert.equal((await readQuote(platform, made)).status, 'PENDING')
  const body = { quoteId: waiting.id, currencyCode: 'USD' }
  expectStatus(await platform.api.post('/sandbox/send', body), 200)
  const failed = await readTransaction(platform, waiting.transactionId)
  assert.deepEqual(
    [failed.failureReason, failed.refund?.status],
    ['QUOTE_EXECUTION_FAILED', 'COMPLETED'],
  )
  await allow(platform, 'EUR', ['INCOMING'])
  expectStatus(await execute(platform, made), 200)
})

test('QUOTE-25 what comes back is not bound by it', async () => {
  const { platform, account } = await payer(await kit.platform())
  const failing = await payee(platform, 'EUR_ACCOUNT', { suffix: '002' })
  const made = expectStatus(await quote(platform, { from: account, to: failing, amount: 500 }), 201)
  await allow(platform, 'USD', ['OUTGOING'])
  expectStatus(await execute(platform, made), 200)
  assert.equal((await readQuote(platform, made)).status, 'FAILED')
  assert.equal(await balanceOf(platform, account), 100_000)
})

test('QUOTE-6 XFER-8 without OUTGOING nothing leaves; what is not listed is bound by neither', async () => {
  const { platform, customerId, account } = await payer(await kit.platform())
  const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
  const eur = await customerAccount(platform, customerId, 'EUR')
  await allow(platform, 'USD', ['INCOMING'])
  expectClosed(await quote(platform, { from: account, to: eur, amount: 500 }), 'USD', 'OUTGOING')
  const out = { from: account, to: bank }
  expectClosed(await transfer(platform, '/transfer-out', out), 'USD', 'OUTGOING')
  expectStatus(await transfer(platform, '/transfer-in', { from: bank, to: account }), 201)
  await allow(platform, 'USD', [])
  expectClosed(
    await transfer(platform, '/transfer-in', { from: bank, to: account }),
    'USD',
    'INCOMING',
  )
  const config = expectStatus(await platform.api.get('/config'), 200)
  const others = config.supportedCurrencies.filter(({ currencyCode }) => currencyCode !== 'USD')
  expectStatus(await platform.api.patch('/config', { supportedCurrencies: others }), 200)
  expectStatus(await transfer(platform, '/transfer-in', { from: bank, to: account }), 201)
  expectStatus(await transfer(platform, '/transfer-out', out), 201)
  expectStatus(await receive(platform, customerId), 200)
})

test('UMA-13 a receiver here is offered, and takes, only what its platform lets in', async () => {
  const sender = await payer(await kit.platform())
  const receiving = await kit.platform()
  const customerId = (await createCustomer(receiving)).id
  const address = await umaAddressOf(receiving, customerId)
  const offered = async (): Promise<string[]> => {
    const path = `/receiver/uma/${encodeURIComponent(address)}` as const
    const query = { customerId: sender.customerId }
    const found = expectStatus(await sender.platform.api.get(path, { query }), 200)
    return found.supportedCurrencies.map((one) => one.currency.code)
  }
  const pay = (currency: string) =>
    sender.platform.api.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: sender.account },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: address, currency },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000,
    })
  assert.ok((await offered()).includes('EUR'))
  const made = expectStatus(await pay('EUR'), 201)
  await allow(receiving, 'EUR', ['OUTGOING'])
  assert.ok(!(await offered()).includes('EUR'))
  expectError(await pay('EUR'), 400, 'INVALID_CURRENCY')
  expectClosed(await receive(receiving, customerId, 'EUR'), 'EUR', 'INCOMING')
  // A quote from before is not taken either: its money goes back.
  expectStatus(await execute(sender.platform, made), 200)
  const failed = await readTransaction(sender.platform, made.transactionId)
  assert.deepEqual(
    [failed.failureReason, failed.refund?.status],
    ['COUNTERPARTY_POST_TX_FAILED', 'COMPLETED'],
  )
  const list = expectStatus(await receiving.api.get('/transactions'), 200)
  assert.equal(list.totalCount, 0, 'nothing is written')
})
