import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Quote } from '../../../sdk/src/index.ts'
import { checkLedger } from '../../src/ledger/reports/check-ledger.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Body,
  type HasId,
  type Shown,
} from '../kit/api.ts'
import { advance, connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { createCustomer } from '../kit/customers.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit, type TestPlatform } from '../kit/florin.ts'
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
  readQuote,
  readTransaction,
  type Paying,
} from '../kit/payments.ts'

/** The acceptance scenarios of chapter 31, section 12, without UMA. */
const kit = await startKit()

/** R, C and U of the scenarios: a platform, its customer, and the customer's USD account with 100,000 on it. */
const start = async (): Promise<Paying> => payer(await kit.platform(), { funded: 100_000 })

const figures = (quoted: Shown<Quote>) => [
  quoted.totalSendingAmount,
  quoted.totalReceivingAmount,
  quoted.feesIncluded,
]

const elapsedMs = ({ createdAt, expiresAt }: Shown<Quote>): number =>
  Date.parse(expiresAt) - Date.parse(createdAt)

test('scenarios 1 to 3: a quote is a price, executing it moves the money, once', async () => {
  const { platform, account: u } = await start()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const e = await payee(platform, 'EUR_ACCOUNT')
  const quoted = expectStatus(await quote(platform, { from: u, to: e, amount: 10_000 }), 201)
  assert.equal(quoted.status, 'PENDING')
  assert.deepEqual(figures(quoted), [10_000, 9154, 50])
  assert.equal(quoted.exchangeRate, 1.086956522)
  assert.equal(elapsedMs(quoted), 300_000)
  assert.equal(await balanceOf(platform, u), 100_000)
  const id = quoted.transactionId
  assert.equal((await readTransaction(platform, id)).status, 'PENDING')

  assert.equal(expectStatus(await execute(platform, quoted), 200).status, 'PROCESSING')
  assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
  assert.equal(await balanceOf(platform, u), 90_000)
  const transaction = await readTransaction(platform, id)
  assert.equal(transaction.status, 'COMPLETED')
  assert.ok(transaction.settledAt)
  assert.equal(transaction.paymentRail, 'SEPA_INSTANT')
  assert.equal(transaction.railSelectionMode, 'AUTO')
  await eventually(() => assert.equal(receiver.types().length, 4))
  const emitted = receiver.deliveries.filter(({ event }) => event.data['id'] === id)
  assert.deepEqual(
    emitted.map(({ event }) => event.type),
    ['OUTGOING_PAYMENT.PENDING', 'OUTGOING_PAYMENT.PROCESSING', 'OUTGOING_PAYMENT.COMPLETED'],
  )
  const ids = emitted.map(({ event }) => event.id)
  assert.deepEqual(ids, ids.toSorted())
  const [balance, ...more] = receiver.ofType('INTERNAL_ACCOUNT.BALANCE_UPDATED')
  assert.equal(balance?.event.data['id'], u)
  assert.deepEqual(more, [])

  const details = expectError(await execute(platform, quoted), 409, 'CONFLICT')
  assert.equal(details['quoteStatus'], 'COMPLETED')
  assert.equal(await balanceOf(platform, u), 90_000)
})

test('scenario 4: what the account cannot cover is refused and may be executed after funding', async () => {
  const { platform, account: u } = await start()
  const e = await payee(platform, 'EUR_ACCOUNT')
  const first = expectStatus(await quote(platform, { from: u, to: e, amount: 10_000 }), 201)
  expectStatus(await execute(platform, first), 200)
  const asked = { from: u, to: e, amount: 92_000, side: 'RECEIVING' } as const
  const quoted = expectStatus(await quote(platform, asked), 201)
  assert.deepEqual(figures(quoted), [100_503, 92_000, 503])
  const details = expectError(await execute(platform, quoted), 400, 'INSUFFICIENT_BALANCE')
  assert.deepEqual(details, {
    accountId: u,
    currency: 'USD',
    available: 90_000,
    required: 100_503,
  } as unknown as Body)
  await fund(platform, u, 20_000)
  expectStatus(await execute(platform, quoted), 200)
  assert.equal(await balanceOf(platform, u), 9497)
})

test('scenario 5: a quote that nobody executes expires', async () => {
  const { platform, account: u } = await start()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const e = await payee(platform, 'EUR_ACCOUNT')
  const quoted = expectStatus(await quote(platform, { from: u, to: e, amount: 1000 }), 201)
  await advance(platform, 300)
  assert.equal((await readQuote(platform, quoted)).status, 'EXPIRED')
  expectError(await execute(platform, quoted), 409, 'QUOTE_EXPIRED')
  const transaction = await readTransaction(platform, quoted.transactionId)
  assert.equal(transaction.status, 'EXPIRED')
  assert.equal(receiver.ofType('OUTGOING_PAYMENT.EXPIRED').length, 1)
})

test('scenario 6: a reward is bought and sent in one call', async () => {
  const platform = await kit.platform()
  const customer = await createCustomer(platform)
  const customerId = customer.id
  const from = await platformAccount(platform, 'USD')
  await fund(platform, from, 200_000)
  const to = await payee(platform, 'SPARK_WALLET', { customerId })
  const answer = await quote(platform, { from, to, amount: 100, immediatelyExecute: true })
  const quoted = expectStatus(answer, 201)
  assert.equal(quoted.status, 'PROCESSING')
  assert.deepEqual(figures(quoted), [100, 825, 1])
  assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
  const list = await platform.api.get('/transactions', { query: { customerId } })
  const [listed] = expectStatus(list, 200).data
  assert.equal(listed?.id, quoted.transactionId)
  const { onChainTransaction } = listed.destination ?? {}
  assert.equal(onChainTransaction?.network, 'SPARK')
  assert.match(onChainTransaction.transactionHash, /^[0-9a-f]{64}$/)
  assert.equal(await balanceOf(platform, from), 199_900)
})

test('scenario 7: suffixes decide, and in the end only what was paid or lost is gone', async () => {
  const { platform, account: u } = await start()
  const made = new Map<string, string>()
  for (const suffix of ['002', '003', '004', '005', '006', '007']) {
    const to = await payee(platform, 'EUR_ACCOUNT', { suffix })
    const quoted = expectStatus(await quote(platform, { from: u, to, amount: 1000 }), 201)
    expectStatus(await execute(platform, quoted), 200)
    made.set(suffix, quoted.transactionId)
  }
  await advance(platform, 361)
  const outcomes = new Map<string, unknown[]>()
  for (const [suffix, id] of made) {
    const { status, failureReason, refund } = await readTransaction(platform, id)
    outcomes.set(suffix, [status, failureReason, refund?.status, refund?.reason])
  }
  const nothing = undefined
  assert.deepEqual(Object.fromEntries(outcomes), {
    '002': ['FAILED', 'QUOTE_EXECUTION_FAILED', 'COMPLETED', 'TRANSACTION_FAILED'],
    '003': ['COMPLETED', nothing, nothing, nothing],
    '004': ['FAILED', 'COUNTERPARTY_POST_TX_FAILED', 'COMPLETED', 'TRANSACTION_FAILED'],
    '005': ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED', 'TRANSACTION_FAILED'],
    '006': ['FAILED', 'QUOTE_EXECUTION_FAILED', 'COMPLETED', 'USER_CANCELLATION'],
    '007': ['FAILED', 'COUNTERPARTY_POST_TX_FAILED', 'FAILED', 'TRANSACTION_FAILED'],
  })
  assert.equal(await balanceOf(platform, u), 98_000)
  assert.equal((await checkLedger(kit.florin.deps.db)).ok, true)

  const retried = await operate(kit, `refunds retry ${made.get('007')}`)
  assert.equal(retried['refundStatus'], 'COMPLETED')
  assert.equal(await balanceOf(platform, u), 99_000)
})

const FEE = [
  {
    feeType: 'CROSS_CURRENCY_TRANSACTION',
    sourceCurrency: 'USD',
    variableFeeBps: 30,
    fixedFee: { amount: 50, currency: 'USD' },
  },
]

test('scenario 8: the platform earns its fee on completion and gives it back on a return', async () => {
  const { platform, account: u } = await start()
  expectStatus(await platform.api.patch('/config', { feeConfigs: FEE }), 200)
  await operate(kit, `fees set --platform ${platform.platformId} --service-bps 100`)
  const own = await platformAccount(platform, 'USD')
  const e = await payee(platform, 'EUR_ACCOUNT')
  const quoted = expectStatus(await quote(platform, { from: u, to: e, amount: 1000 }), 201)
  assert.deepEqual(figures(quoted), [1000, 862, 63])
  assert.equal(quoted.platformFeesIncluded, 53)
  assert.equal(await balanceOf(platform, own), 0)
  expectStatus(await execute(platform, quoted), 200)
  assert.equal(await balanceOf(platform, own), 53)

  const to = await payee(platform, 'EUR_ACCOUNT', { suffix: '005' })
  const returned = expectStatus(await quote(platform, { from: u, to, amount: 1000 }), 201)
  expectStatus(await execute(platform, returned), 200)
  assert.equal(await balanceOf(platform, own), 106)
  assert.equal(await balanceOf(platform, u), 98_000)
  await advance(platform, 31)
  assert.equal(await balanceOf(platform, own), 53)
  assert.equal(await balanceOf(platform, u), 99_000)
})

const jit = (customerId: string, to: string, amount: number) => ({
  source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId },
  destination: { destinationType: 'ACCOUNT', accountId: to },
  lockedCurrencySide: 'RECEIVING',
  lockedCurrencyAmount: amount,
})

const send = ({ api }: TestPlatform, { id }: HasId, more: object = {}) =>
  api.post('/sandbox/send', { quoteId: id, currencyCode: 'USD', ...more })

test('scenario 9: funds that arrive execute the quote that waits for them', async () => {
  const platform = await kit.platform()
  const customerId = (await createCustomer(platform)).id
  const to = await payee(platform, 'SPARK_WALLET', { customerId })
  const answer = await platform.api.post('/quotes', jit(customerId, to, 100_000))
  const quoted = expectStatus(answer, 201)
  assert.equal(quoted.totalSendingAmount, 12_061)
  const [first] = items(quoted.paymentInstructions)
  assert.equal(first?.accountOrWalletInfo.accountType, 'US_ACCOUNT')
  const reference = text(first.accountOrWalletInfo.reference)
  assert.match(reference, /^Q[A-HJ-NP-Z2-9]{10}$/)
  const waiting = await readTransaction(platform, quoted.transactionId)
  assert.equal(waiting.reconciliationInstructions?.reference, reference)
  expectError(await execute(platform, quoted), 400, 'INVALID_INPUT')
  expectError(await send(platform, quoted, { currencyCode: 'EUR' }), 400, 'INVALID_CURRENCY')
  assert.equal(expectStatus(await send(platform, quoted), 200).status, 'PROCESSING')
  assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
  const details = expectError(await send(platform, quoted), 409, 'CONFLICT')
  assert.equal(details['quoteStatus'], 'COMPLETED')
})

test('scenario 10: another amount than asked for fails and goes back', async () => {
  const platform = await kit.platform()
  const customerId = (await createCustomer(platform)).id
  const to = await payee(platform, 'SPARK_WALLET', { customerId })
  const quoted = expectStatus(await platform.api.post('/quotes', jit(customerId, to, 100_000)), 201)
  const answer = await send(platform, quoted, { currencyAmount: 12_060 })
  assert.equal(expectStatus(answer, 200).status, 'PROCESSING')
  const transaction = await readTransaction(platform, quoted.transactionId)
  assert.equal(transaction.status, 'FAILED')
  assert.equal(transaction.failureReason, 'FUNDING_AMOUNT_MISMATCH')
  assert.equal(transaction.refund?.status, 'COMPLETED')
})

test('scenario 11: a transfer goes out, and a bank rail lets one be called back', async () => {
  const { platform, account: u } = await start()
  const { api } = platform
  const out = (accountId: string, amount: number) =>
    api.post('/transfer-out', { source: { accountId: u }, destination: { accountId }, amount })
  const answer = await out(await payee(platform, 'USD_ACCOUNT'), 12_550)
  const sent = expectStatus(answer, 201)
  assert.equal(sent.status, 'PENDING')
  assert.equal(answer.headers.get('deprecation'), 'true')
  assert.equal(answer.headers.get('link'), '</quotes>; rel="successor-version"')
  const done = await readTransaction(platform, sent.id)
  assert.equal(done.status, 'COMPLETED')
  assert.equal(done.receivedAmount?.amount, 12_550)
  assert.equal(await balanceOf(platform, u), 87_450)

  const slow = expectStatus(
    await out(await payee(platform, 'USD_ACCOUNT', { suffix: '005' }), 1000),
    201,
  )
  assert.equal((await readTransaction(platform, slow.id)).status, 'PENDING')
  assert.equal(await balanceOf(platform, u), 86_450)
  const cancelled = expectStatus(await api.post(`/transactions/${slow.id}/cancel`), 200)
  assert.equal(cancelled.status, 'FAILED')
  assert.equal(cancelled.refund?.reason, 'USER_CANCELLATION')
  assert.equal(await balanceOf(platform, u), 87_450)
  const again = await api.post(`/transactions/${slow.id}/cancel`)
  expectError(again, 409, 'TRANSACTION_NOT_CANCELLABLE')
})

test('scenario 12: a transfer comes in, or does not', async () => {
  const { platform, account: u } = await start()
  const pull = (accountId: string) =>
    platform.api.post('/transfer-in', {
      source: { accountId },
      destination: { accountId: u },
      amount: 10_000,
    })
  const sent = expectStatus(
    await pull(await payee(platform, 'USD_ACCOUNT', { suffix: '001' })),
    201,
  )
  assert.equal(sent.status, 'PENDING')
  assert.equal((await readTransaction(platform, sent.id)).status, 'COMPLETED')
  assert.equal(await balanceOf(platform, u), 110_000)
  const failing = await pull(await payee(platform, 'USD_ACCOUNT', { suffix: '004' }))
  const failed = await readTransaction(platform, expectStatus(failing, 201).id)
  assert.equal(failed.status, 'FAILED')
  assert.equal(failed.failureReason, 'COLLECTION_FAILED')
  assert.equal(failed.refund, undefined)
  assert.equal(await balanceOf(platform, u), 110_000)
})

test('scenario 15: rates hold for five minutes', async () => {
  const platform = await kit.platform()
  const query = { sourceCurrency: 'USD', destinationCurrency: 'EUR', sendingAmount: 10_000 }
  const read = async () =>
    expectStatus(await platform.api.get('/exchange-rates', { query }), 200).data[0]
  const first = await read()
  assert.equal(first?.receivingAmount, 9154)
  assert.equal(first.fees.total, 50)
  await advance(platform, 280)
  assert.equal((await read())?.updatedAt, first.updatedAt)
  await advance(platform, 21)
  assert.ok(text((await read())?.updatedAt) > first.updatedAt)
})

test('scenario 16: a withdrawal costs what was estimated', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const from = await platformAccount(platform, 'USDC')
  await fund(platform, from, 1_000_000)
  const estimate = await api.post('/crypto/estimate-withdrawal-fee', {
    internalAccountId: from,
    currency: 'USDC',
    cryptoNetwork: 'SOLANA',
    amount: 1_000_000,
    destinationAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  })
  const { networkFee, networkFeeAsset, totalFee, netAmount } = expectStatus(estimate, 200)
  assert.deepEqual([networkFee, networkFeeAsset, totalFee, netAmount], [5000, 'SOL', 750, 999_250])
  const sent = await api.post('/transfer-out', {
    source: { accountId: from },
    destination: { accountId: await payee(platform, 'SOLANA_WALLET') },
    amount: 1_000_000,
  })
  const done = await readTransaction(platform, expectStatus(sent, 201).id)
  assert.equal(done.receivedAmount?.amount, 999_250)
  assert.equal(done.fees, 750)
})

test('scenario 17: limits on one payment and on one day', async () => {
  const { platform, account: u } = await start()
  const set = '--currency USD --max-transaction 5000 --daily-volume 8000'
  await operate(kit, `limits set --platform ${platform.platformId} ${set}`)
  const e = await payee(platform, 'EUR_ACCOUNT')
  const quoted = (amount: number) => quote(platform, { from: u, to: e, amount })
  const details = expectError(await quoted(5001), 400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED')
  assert.deepEqual(details, { limit: 5000, currency: 'USD' } as unknown as Body)
  const [first, second] = [
    expectStatus(await quoted(5000), 201),
    expectStatus(await quoted(5000), 201),
  ]
  expectStatus(await execute(platform, first), 200)
  const refused = await execute(platform, second)
  expectError(refused, 429, 'DAILY_VOLUME_LIMIT_EXCEEDED')
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(seconds >= 1 && seconds <= 86_400)
  assert.equal((await readQuote(platform, second)).status, 'PENDING')
  await advance(platform, seconds)
  expectStatus(await execute(platform, expectStatus(await quoted(5000), 201)), 200)
})

test('scenario 18: of racing executes as many succeed as the balance covers', async () => {
  const { platform, account: u } = await start()
  const e = await payee(platform, 'EUR_ACCOUNT')
  const quotes = await Promise.all(
    Array.from({ length: 50 }, async () =>
      expectStatus(await quote(platform, { from: u, to: e, amount: 3000 }), 201),
    ),
  )
  const answers = await Promise.all(quotes.map((quoted) => execute(platform, quoted)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 33)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expectError(answer, 400, 'INSUFFICIENT_BALANCE')
  }
  assert.equal(await balanceOf(platform, u), 1000)
})

test('scenario 19: an unverified customer pays nothing, another platform’s ids are not there', async () => {
  const platform = await kit.platform()
  const pending = await createCustomer(platform, { fullName: 'Pat Pending 001' })
  assert.equal(pending.kycStatus, 'PENDING')
  const from = await customerAccount(platform, pending.id, 'USD')
  await fund(platform, from, 1000)
  const e = await payee(platform, 'EUR_ACCOUNT')
  const details = expectError(
    await quote(platform, { from, to: e, amount: 100 }),
    403,
    'USER_NOT_READY',
  )
  assert.equal(details['status'], 'PENDING')

  const stranger = await start()
  const own = await platformAccount(platform, 'USD')
  const theirs = await payee(stranger.platform, 'EUR_ACCOUNT')
  for (const ends of [
    { from: stranger.account, to: e },
    { from: own, to: theirs },
  ]) {
    expectError(await quote(platform, { ...ends, amount: 100 }), 404, 'REFERENCE_NOT_FOUND')
  }
  const answer = await quote(stranger.platform, { from: stranger.account, to: theirs, amount: 100 })
  const foreign = expectStatus(answer, 201)
  expectError(await execute(platform, foreign), 404, 'QUOTE_NOT_FOUND')
  const { api } = platform
  expectError(await api.get(`/quotes/${foreign.id}`), 404, 'QUOTE_NOT_FOUND')
  expectError(await send(platform, foreign), 404, 'QUOTE_NOT_FOUND')
  const path = `/transactions/${foreign.transactionId}` as const
  expectError(await api.get(path), 404, 'TRANSACTION_NOT_FOUND')
  for (const action of ['confirm', 'approve', 'reject', 'cancel']) {
    expectError(await api.post(`${path}/${action}`), 404, 'TRANSACTION_NOT_FOUND')
  }
  const named = { from: own, to: e, amount: 100 }
  const behalf = { sourceType: 'ACCOUNT', accountId: own, customerId: stranger.customerId }
  expectError(await quote(platform, { ...named, source: behalf }), 404, 'USER_NOT_FOUND')
  expectFields(await quote(platform, { ...named, from: 'x' }), ['source.accountId'])
})

test('scenario 24: the least amount of a row is the least that a quote takes', async () => {
  const { platform, account: from } = await start()
  const query = { sourceCurrency: 'USD', destinationCurrency: 'EUR' }
  const rates = expectStatus(await platform.api.get('/exchange-rates', { query }), 200)
  assert.equal(rates.data[0]?.minSendingAmount, 3)
  const to = await payee(platform, 'EUR_ACCOUNT')
  const refused = await quote(platform, { from, to, amount: 2 })
  assert.equal(expectError(refused, 400, 'AMOUNT_OUT_OF_RANGE')['minimum'], 3)
  expectStatus(await quote(platform, { from, to, amount: 3 }), 201)
})
