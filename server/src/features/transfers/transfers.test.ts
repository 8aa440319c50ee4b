import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectError, expectFields, expectStatus } from '../../../test/kit/api.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  fund,
  payee,
  payer,
  platformAccount,
  readTransaction,
} from '../../../test/kit/payments.ts'
import { newUuid } from '../../kernel/ids.ts'

const kit = await startKit()

type Transfer = Readonly<{ from: string; to: string; amount?: number; paymentRail?: string }>

const out = ({ api }: TestPlatform, { from, to, paymentRail, ...more }: Transfer) =>
  api.post('/transfer-out', {
    source: { accountId: from },
    destination: { accountId: to, paymentRail },
    ...more,
  })

const into = ({ api }: TestPlatform, { from, to, ...more }: Transfer) =>
  api.post('/transfer-in', { source: { accountId: from }, destination: { accountId: to }, ...more })

describe('XFER transfer-out', () => {
  test('XFER-1 both answer with where to go instead, also when they refuse', async () => {
    const platform = await kit.platform()
    for (const answer of [
      await platform.api.post('/transfer-out', {}),
      await platform.api.post('/transfer-in', {}),
    ]) {
      assert.equal(answer.status, 400)
      assert.equal(answer.headers.get('deprecation'), 'true')
      assert.equal(answer.headers.get('link'), '</quotes>; rel="successor-version"')
    }
  })

  test('XFER-2 XFER-3 the kinds of account, their currencies and the amount', async () => {
    const { platform, account } = await payer(await kit.platform())
    const usd = await payee(platform, 'USD_ACCOUNT')
    expectFields(await out(platform, { from: usd, to: account, amount: 1 }), [
      'source.accountId',
      'destination.accountId',
    ])
    expectFields(await into(platform, { from: account, to: usd, amount: 1 }), [
      'source.accountId',
      'destination.accountId',
    ])
    const eur = await payee(platform, 'EUR_ACCOUNT')
    const mixed = await out(platform, { from: account, to: eur, amount: 100 })
    expectError(mixed, 400, 'INVALID_CURRENCY')
    const mixedIn = await into(platform, { from: eur, to: account, amount: 100 })
    expectError(mixedIn, 400, 'INVALID_CURRENCY')
    expectFields(await out(platform, { from: account, to: usd }), ['amount'])
    expectFields(await into(platform, { from: usd, to: account }), ['amount'])
    expectFields(await out(platform, { from: account, to: usd, amount: 0 }), ['amount'])
    const unknown = `ExternalAccount:${newUuid()}`
    const nowhere = await out(platform, { from: account, to: unknown, amount: 1 })
    expectError(nowhere, 404, 'REFERENCE_NOT_FOUND')
    const rail = { from: account, to: usd, amount: 100, paymentRail: 'SEPA' }
    const [error] = expectFields(await out(platform, rail), ['destination.paymentRail'])
    assert.deepEqual(error?.['constraint']?.['enum'], ['ACH', 'WIRE', 'RTP', 'FEDNOW'])
  })

  test('XFER-4 too little money leaves nothing behind', async () => {
    const { platform, account } = await payer(await kit.platform())
    const to = await payee(platform, 'USD_ACCOUNT')
    const refused = await out(platform, { from: account, to, amount: 100_001 })
    const details = expectError(refused, 400, 'INSUFFICIENT_BALANCE')
    assert.equal(details['required'], 100_001)
    const list = await platform.api.get('/transactions', { query: { type: 'OUTGOING' } })
    assert.deepEqual(expectStatus(list, 200).data, [])
  })

  test('XFER-4 FEE-2 a network takes its fee from what is sent; there is no quote', async () => {
    const platform = await kit.platform()
    const from = await platformAccount(platform, 'USDC')
    await fund(platform, from, 1_000_000)
    await operate(kit, `fees set --platform ${platform.platformId} --application-fee USDC:50`)
    const to = await payee(platform, 'SOLANA_WALLET')
    const sent = expectStatus(await out(platform, { from, to, amount: 1_000_000 }), 201)
    assert.equal(sent.status, 'PENDING')
    assert.equal(sent.quoteId, undefined)
    assert.equal(sent.sentAmount?.amount, 1_000_000)
    assert.equal(sent.receivedAmount?.amount, 999_200)
    assert.equal(sent.fees, 800)
    const done = await readTransaction(platform, sent.id)
    assert.equal(done.destination?.onChainTransaction?.network, 'SOLANA')
    assert.equal(await balanceOf(platform, from), 0)
  })

  const OUTCOMES = [
    ['000', 'COMPLETED', undefined, undefined],
    ['002', 'FAILED', 'QUOTE_EXECUTION_FAILED', 'TRANSACTION_FAILED'],
    ['003', 'FAILED', 'ACCOUNT_INVALID', 'TRANSACTION_FAILED'],
    ['004', 'FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'TRANSACTION_FAILED'],
    ['006', 'COMPLETED', undefined, undefined],
    ['007', 'COMPLETED', undefined, undefined],
  ] as const

  test('XFER-4 9.3 the account’s suffix decides', async () => {
    const { platform, account } = await payer(await kit.platform())
    for (const [suffix, status, reason, refund] of OUTCOMES) {
      const to = await payee(platform, 'USD_ACCOUNT', { suffix })
      const sent = expectStatus(await out(platform, { from: account, to, amount: 1000 }), 201)
      const done = await readTransaction(platform, sent.id)
      assert.deepEqual(
        [done.status, done.failureReason, done.refund?.reason],
        [status, reason, refund],
        suffix,
      )
      const [first, second] = await eventTypesOf(platform, sent.id)
      assert.deepEqual([first, second], ['OUTGOING_PAYMENT.PENDING', 'OUTGOING_PAYMENT.PROCESSING'])
    }
    assert.equal(await balanceOf(platform, account), 97_000)
  })

  test('section 9.3: suffix 005 waits for 30 seconds, then times out', async () => {
    const { platform, account } = await payer(await kit.platform())
    const to = await payee(platform, 'USD_ACCOUNT', { suffix: '005' })
    const sent = expectStatus(await out(platform, { from: account, to, amount: 1000 }), 201)
    await advance(platform, 29)
    assert.equal((await readTransaction(platform, sent.id)).status, 'PENDING')
    assert.equal(await balanceOf(platform, account), 99_000)
    await advance(platform, 1)
    const failed = await readTransaction(platform, sent.id)
    assert.deepEqual(
      [failed.status, failed.failureReason, failed.refund?.reason],
      ['FAILED', 'QUOTE_EXECUTION_FAILED', 'TIMEOUT'],
    )
    assert.equal(await balanceOf(platform, account), 100_000)
  })

  test('XFER-7 gates and limits hold', async () => {
    const platform = await kit.platform()
    const pending = (await createCustomer(platform, { fullName: 'Jo 001' })).id
    const from = await customerAccount(platform, pending, 'USD')
    await fund(platform, from, 1000)
    const to = await payee(platform, 'USD_ACCOUNT')
    expectError(await out(platform, { from, to, amount: 10 }), 403, 'USER_NOT_READY')
    expectError(await into(platform, { from: to, to: from, amount: 10 }), 403, 'USER_NOT_READY')
    const own = await platformAccount(platform, 'USD')
    await fund(platform, own, 10_000)
    const limits = '--currency USD --max-transaction 500 --daily-volume 800'
    await operate(kit, `limits set --platform ${platform.platformId} ${limits}`)
    const tooBig = await out(platform, { from: own, to, amount: 501 })
    expectError(tooBig, 400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED')
    expectStatus(await out(platform, { from: own, to, amount: 500 }), 201)
    const tooMuch = await out(platform, { from: own, to, amount: 500 })
    expectError(tooMuch, 429, 'DAILY_VOLUME_LIMIT_EXCEEDED')
    assert.ok(tooMuch.headers.get('retry-after'))
    expectStatus(await out(platform, { from: own, to, amount: 300 }), 201)
  })

  test('XFER-7 LIM-2 EACC-17 OWN-8 so do the platform’s range and what an account may be', async () => {
    const platform = await kit.platform()
    const own = await platformAccount(platform, 'USD')
    await fund(platform, own, 10_000)
    const bank = await payee(platform, 'USD_ACCOUNT')
    const range = { minAmount: 100, maxAmount: 200, requiredCounterpartyFields: [] }
    const enabledTransactionTypes = ['OUTGOING', 'INCOMING']
    const usd = { currencyCode: 'USD', ...range, enabledTransactionTypes }
    expectStatus(await platform.api.patch('/config', { supportedCurrencies: [usd] }), 200)
    for (const amount of [99, 201]) {
      const answers = [
        await out(platform, { from: own, to: bank, amount }),
        await into(platform, { from: bank, to: own, amount }),
      ]
      for (const answer of answers) {
        const details = expectError(answer, 400, 'AMOUNT_OUT_OF_RANGE')
        assert.deepEqual(details, { minimum: 100, maximum: 200, currency: 'USD' })
      }
    }
    await operate(kit, `external-accounts set-status ${bank} UNDER_REVIEW`)
    for (const answer of [
      await out(platform, { from: own, to: bank, amount: 100 }),
      await into(platform, { from: bank, to: own, amount: 100 }),
    ]) {
      assert.equal(expectError(answer, 400, 'INVALID_BANK_ACCOUNT')['status'], 'UNDER_REVIEW')
    }

    const coins = await platformAccount(platform, 'USDC')
    await fund(platform, coins, 10_000_000_000)
    const customerId = (await createCustomer(platform, { region: 'DE' })).id
    const more = { ownershipType: 'FIRST_PARTY' }
    const wallet = await payee(platform, 'SOLANA_WALLET', { customerId, more })
    // 1,000 EUR are 1,086.956521… dollars; the network takes 750 millionths of what is sent.
    const most = { from: coins, to: wallet, amount: 1_086_956_521 + 750 }
    const tooMuch = await out(platform, { ...most, amount: most.amount + 1 })
    expectError(tooMuch, 400, 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED')
    expectStatus(await out(platform, most), 201)
  })
})

describe('XFER transfer-in', () => {
  test('XFER-5 only what can be pulled is', async () => {
    const platform = await kit.platform({ currencies: ['USD', 'KES', 'BTC'] })
    for (const [accountType, currency] of [
      ['KES_ACCOUNT', 'KES'],
      ['SPARK_WALLET', 'BTC'],
    ] as const) {
      const from = await payee(platform, accountType)
      const to = await platformAccount(platform, currency)
      const details = expectError(
        await into(platform, { from, to, amount: 10 }),
        400,
        'INVALID_BANK_ACCOUNT',
      )
      assert.equal(details['reason'], 'NOT_PULLABLE')
    }
  })

  test('XFER-5 the account is credited on completion, told by one event', async () => {
    const { platform, account, customerId } = await payer(await kit.platform(), { funded: 0 })
    const from = await payee(platform, 'USD_ACCOUNT')
    const sent = expectStatus(await into(platform, { from, to: account, amount: 700 }), 201)
    assert.deepEqual(
      [sent.type, sent.direction, sent.status, sent.customerId],
      ['INCOMING', 'CREDIT', 'PENDING', customerId],
    )
    assert.deepEqual(await eventTypesOf(platform, sent.id), ['INCOMING_PAYMENT.COMPLETED'])
    assert.equal(await balanceOf(platform, account), 700)
  })

  test('XFER-9 an external account is taken for its own owner only', async () => {
    const { platform, account, customerId } = await payer(await kit.platform(), { funded: 0 })
    const other = await payer(platform, { funded: 0 })
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
    const own = await platformAccount(platform, 'USD')
    for (const to of [other.account, own]) {
      expectFields(await into(platform, { from: bank, to, amount: 700 }), ['source.accountId'])
    }
    const list = expectStatus(await platform.api.get('/transactions'), 200)
    assert.equal(list.totalCount, 0, 'nothing is created')
    const ownBank = await payee(platform, 'USD_ACCOUNT')
    for (const [from, to] of [
      [bank, account],
      [ownBank, other.account],
      [ownBank, own],
    ] as const) {
      expectStatus(await into(platform, { from, to, amount: 700 }), 201)
      assert.equal(await balanceOf(platform, to), 700)
    }
  })

  test('XFER-5 9.3 a pull that fails credits nothing, at once or after 30 seconds', async () => {
    const { platform, account } = await payer(await kit.platform(), { funded: 0 })
    const pull = async (suffix: string) => {
      const from = await payee(platform, 'USD_ACCOUNT', { suffix })
      return expectStatus(await into(platform, { from, to: account, amount: 700 }), 201).id
    }
    for (const suffix of ['002', '003', '004']) {
      const id = await pull(suffix)
      const failed = await readTransaction(platform, id)
      assert.deepEqual([failed.status, failed.failureReason], ['FAILED', 'COLLECTION_FAILED'])
      assert.deepEqual(await eventTypesOf(platform, id), ['INCOMING_PAYMENT.FAILED'])
    }
    const slow = await pull('005')
    assert.equal((await readTransaction(platform, slow)).status, 'PENDING')
    await advance(platform, 30)
    assert.equal((await readTransaction(platform, slow)).status, 'FAILED')
    assert.equal(await balanceOf(platform, account), 0)
  })

  test('TXN-15 TXN-16 a transfer-in is called back while it waits', async () => {
    const { platform, account } = await payer(await kit.platform(), { funded: 0 })
    const from = await payee(platform, 'USD_ACCOUNT', { suffix: '005' })
    const { id } = expectStatus(await into(platform, { from, to: account, amount: 700 }), 201)
    const cancelled = expectStatus(await platform.api.post(`/transactions/${id}/cancel`), 200)
    assert.deepEqual(
      [cancelled.status, cancelled.failureReason, cancelled.refund],
      ['FAILED', 'COLLECTION_FAILED', undefined],
    )
    await advance(platform, 31)
    assert.deepEqual(await eventTypesOf(platform, id), ['INCOMING_PAYMENT.FAILED'])
  })
})

test('CORE-41 under a key a transfer is made once', async () => {
  const { platform, account } = await payer(await kit.platform())
  const to = await payee(platform, 'USD_ACCOUNT')
  const body = { source: { accountId: account }, destination: { accountId: to }, amount: 1000 }
  const headers = { 'Idempotency-Key': newUuid() }
  const first = await platform.api.post('/transfer-out', body, { headers })
  const again = await platform.api.post('/transfer-out', body, { headers })
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('deprecation'), 'true')
  assert.equal(await balanceOf(platform, account), 99_000)
})
