/** No balance passes 9,000,000,000,000,000 (IACC-13): what comes for an account that is full ends where it is seen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, text, type Body } from '../kit/api.ts'
import { newCard } from '../kit/cards.ts'
import { eventually } from '../kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import { advance, connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import {
  balanceOf,
  eventTypesOf,
  execute,
  payee,
  payer,
  platformAccount,
  quote,
  readTransaction,
} from '../kit/payments.ts'
import { depositSetup, dollars } from '../kit/setups/deposit-provider.ts'
import { railsSetup } from '../kit/setups/rails.ts'
import { decide, quoteUma, receiveUma, umaAddressOf } from '../kit/uma.ts'

const kit = await startOwnKit()

const LARGEST = 9_000_000_000_000_000
const HOUR_SECONDS = 3_600

const add = (account: string, amount: number): Promise<Body> =>
  operate(kit, `sandbox fund ${account} --amount ${amount}`)

async function fill(platform: TestPlatform, account: string): Promise<void> {
  await add(account, LARGEST - (await balanceOf(platform, account)))
}

/** Pays something out, so that there is room. */
async function makeRoom(platform: TestPlatform, account: string, amount: number): Promise<void> {
  const to = await platformAccount(platform, 'EUR')
  const made = expectStatus(await quote(platform, { from: account, to, amount }), 201)
  expectStatus(await execute(platform, made), 200)
}

const settled = (amount: number, currency: string) => ({
  state: 'SETTLED',
  amount: { amount, currency },
})

const back = (amount: number, returnId: string) => ({
  state: 'RETURNED',
  amount: { amount, currency: 'EUR' },
  returnId,
})

test('TXN-7 a return into a full account is a failed refund, which is retried once there is room', async () => {
  const platform = await kit.platform()
  const { account, customerId } = await payer(platform)
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId, suffix: '005' })
  const made = expectStatus(await quote(platform, { from: account, to, amount: 10_000 }), 201)
  expectStatus(await execute(platform, made), 200)
  await fill(platform, account)
  await advance(platform, 31)
  const { transactionId } = made
  const returned = await readTransaction(platform, transactionId)
  assert.deepEqual([returned.status, returned.refund?.status], ['FAILED', 'FAILED'])
  assert.ok(
    (await eventTypesOf(platform, transactionId)).includes('OUTGOING_PAYMENT.REFUND_FAILED'),
  )
  const retry = `refunds retry ${transactionId}`
  await assert.rejects(operate(kit, retry), /AMOUNT_OUT_OF_RANGE|outside what is allowed/)
  await makeRoom(platform, account, 10_000)
  await operate(kit, retry)
  assert.equal((await readTransaction(platform, transactionId)).refund?.status, 'COMPLETED')
  assert.equal(await balanceOf(platform, account), LARGEST)
})

test('PROV-66 PROV-70 a part that comes back for a full account waits for the operator, and so does the rest', async () => {
  const { platform, account, pay, provider, transaction, balance, exceptions } =
    await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  await provider.report(order, 1, settled(9_154, 'EUR'))
  await fill(platform, account)
  assert.equal((await provider.report(order, 2, back(2_000, 'r1')))['result'], 'EXCEPTION')
  assert.equal((await provider.report(order, 3, back(7_154, 'r2')))['result'], 'WAITING')
  const [open] = await exceptions()
  assert.equal(open?.['type'], 'RETURN_NOT_CREDITED')
  const resolve = `exceptions resolve ${text(open['exceptionId'])} --as RETURNED --amount 2000 --note`
  await assert.rejects(operate(kit, resolve, 'too early'), /outside what is allowed/)
  await makeRoom(platform, account, 10_000)
  await operate(kit, resolve, 'there is room')
  assert.equal((await transaction(id)).refund?.status, 'COMPLETED')
  assert.equal(await balance(), LARGEST)
})

test('PROV-82 a deposit for a full account is unattributed until the operator places it', async () => {
  const { platform, account, number, send } = await depositSetup(kit)
  await fill(platform, account)
  const to = { accountNumber: number }
  for (const more of [{}, { review: true }]) {
    const taken = await send(dollars(100, { to, ...more }))
    assert.deepEqual(
      [taken['result'], taken['depositStatus'], taken['reason']],
      ['APPLIED', 'UNATTRIBUTED', 'ACCOUNT_FULL'],
    )
  }
  const wired = await operate(
    kit,
    `deposits receive --environment SANDBOX --amount 100 --currency USD --rail ACH --trace full-1 --to ${number}`,
  )
  assert.equal(wired['reason'], 'ACCOUNT_FULL')
  await makeRoom(platform, account, 100)
  await operate(kit, `deposits attribute ${text(wired['depositId'])} --to ${account}`)
  assert.equal(await balanceOf(platform, account), LARGEST)
})

test('UMA-10 a payment that is approved for a full account fails, and its payer is refunded', async () => {
  const platform = await kit.platform()
  const hook = await openReceiver()
  await connect(platform, hook)
  const { account, customerId } = await payer(platform, { funded: 0 })
  await fill(platform, account)
  const outside = expectStatus(await receiveUma(platform, { customerId, amount: 500 }), 200)
  await eventually(async () =>
    assert.equal(
      (await readTransaction(platform, outside.id)).failureReason,
      'QUOTE_EXECUTION_FAILED',
    ),
  )
  const sender = await payer(platform)
  hook.answer(202)
  const asked = { from: sender.account, to: await umaAddressOf(platform, customerId), amount: 500 }
  const made = expectStatus(await quoteUma(platform, asked), 201)
  expectStatus(await execute(platform, made), 200)
  const incoming = { id: text(hook.ofType('INCOMING_PAYMENT.PENDING').at(-1)?.event.data['id']) }
  const approved = expectStatus(await decide(platform, incoming, 'approve'), 200)
  assert.deepEqual([approved.status, approved.failureReason], ['FAILED', 'QUOTE_EXECUTION_FAILED'])
  const sent = await readTransaction(platform, made.transactionId)
  assert.deepEqual([sent.status, sent.refund?.status], ['FAILED', 'COMPLETED'])
  assert.equal(await balanceOf(platform, sender.account), 100_000)
})

test('PROV-55 a transfer-in that is settled for a full account is credited once there is room', async () => {
  const { platform, provider, advance: pass } = await railsSetup(kit)
  const source = await payee(platform, 'USD_ACCOUNT')
  const account = await platformAccount(platform, 'USD')
  const body = { source: { accountId: source }, destination: { accountId: account }, amount: 500 }
  const { id } = expectStatus(await platform.api.post('/transfer-in', body), 201)
  await fill(platform, account)
  const order = await provider.orderOf(id)
  assert.equal((await provider.report(order, 1, settled(500, 'USD')))['result'], 'APPLIED')
  await pass(HOUR_SECONDS)
  assert.equal((await readTransaction(platform, id)).status, 'PENDING')
  await makeRoom(platform, account, 500)
  await pass(HOUR_SECONDS)
  assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  assert.equal(await balanceOf(platform, account), LARGEST)
})

test('TXN-8 what was pulled for an account that is full by then goes back to where it came from', async () => {
  const { platform, provider } = await railsSetup(kit)
  const from = await payee(platform, 'USD_ACCOUNT')
  const account = await platformAccount(platform, 'USD')
  const made = await quote(platform, { from, to: account, amount: 500, immediatelyExecute: true })
  const { transactionId } = expectStatus(made, 201)
  await fill(platform, account)
  const pulled = await provider.orderOf(transactionId)
  assert.equal((await provider.report(pulled, 1, settled(500, 'USD')))['result'], 'APPLIED')
  const { status, failureReason, refund } = await readTransaction(platform, transactionId)
  assert.deepEqual(
    [status, failureReason, refund?.status],
    ['FAILED', 'QUOTE_EXECUTION_FAILED', 'PENDING'],
  )
  await eventually(() => assert.ok(provider.orders().some(({ type }) => text(type) === 'REFUND')))
})

for (const currency of ['USD', 'USDC']) {
  test(`QUOTE-19 funds in ${currency} for a quote into a full account are refunded`, async () => {
    const platform = await kit.platform({ currencies: ['USD', 'EUR', 'USDC'] })
    const { customerId } = await payer(platform)
    const account = await platformAccount(platform, 'USD')
    const asked = {
      source: { sourceType: 'REALTIME_FUNDING', currency, customerId },
      destination: { destinationType: 'ACCOUNT', accountId: account },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 5_000_000,
    }
    const made = expectStatus(await platform.api.post('/quotes', asked), 201)
    await fill(platform, account)
    const funding = { quoteId: made.id, currencyCode: currency }
    expectStatus(await platform.api.post('/sandbox/send', funding), 200)
    await eventually(async () => {
      const { status, refund } = await readTransaction(platform, made.transactionId)
      assert.deepEqual([status, refund?.status], ['FAILED', 'COMPLETED'])
    })
  })
}

test('IACC-13 QUOTE-12 refused with what fits is a payment from one internal account into another that is full', async () => {
  const platform = await kit.platform()
  const { account } = await payer(platform)
  const to = await platformAccount(platform, 'USD')
  const made = expectStatus(await quote(platform, { from: account, to, amount: 500 }), 201)
  await fill(platform, to)
  const details = expectError(await execute(platform, made), 400, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual([details['maximum'], details['currency']], [0, 'USD'])
  assert.equal(await balanceOf(platform, account), 100_000)
})

test('CTXN-20 what a card never spent goes back to a full account once there is room', async () => {
  const platform = await kit.platform()
  const card = await newCard(platform, { funds: 10_000 })
  const { id } = await card.authorize(1_000)
  await fill(platform, card.accountId)
  await advance(platform, 7 * 24 * HOUR_SECONDS)
  assert.equal((await card.transaction({ id })).status, 'AUTHORIZED')
  await makeRoom(platform, card.accountId, 1_000)
  await advance(platform, HOUR_SECONDS)
  assert.equal((await card.transaction({ id })).pullSummary?.totalAmount, 0)
  assert.equal(await balanceOf(platform, card.accountId), LARGEST)
})
