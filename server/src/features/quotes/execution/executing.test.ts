import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Quote } from '../../../../../sdk/src/index.ts'
import { expectError, expectFields, expectStatus, type Shown } from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { asOperator } from '../../../../test/kit/accounts/external-accounts.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  execute,
  fund,
  payee,
  payer,
  platformAccount,
  quote,
  quoteBody,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { setAccountStatus } from '../../external-accounts/index.ts'
import { freezeAccount } from '../../internal-accounts/index.ts'

const kit = await startKit()

const outgoing = (...names: string[]) => names.map((name) => `OUTGOING_PAYMENT.${name}`)

async function prepared(amount = 1000, suffix = '000') {
  const paying = await payer(await kit.platform())
  const { platform, account: from } = paying
  const to = await payee(platform, 'EUR_ACCOUNT', { suffix })
  const quoted = expectStatus(await quote(platform, { from, to, amount }), 201)
  return { ...paying, to, quoted, transactionId: quoted.transactionId }
}

describe('QUOTE-12 to QUOTE-17 executing', () => {
  test('QUOTE-12 exactly enough succeeds', async () => {
    const { platform, account, quoted } = await prepared(100_000)
    expectStatus(await execute(platform, quoted), 200)
    assert.equal(await balanceOf(platform, account), 0)
  })

  test('QUOTE-13 in a final state a quote is not executed again', async () => {
    const { platform, quoted } = await prepared(1000, '002')
    expectStatus(await execute(platform, quoted), 200)
    const details = expectError(await execute(platform, quoted), 409, 'CONFLICT')
    assert.equal(details['quoteStatus'], 'FAILED')
  })

  test('QUOTE-13 QUOTE-23 from its expiry on a quote is expired, also before anything was run', async () => {
    const { platform, quoted } = await prepared()
    await advance(platform, 280)
    assert.equal((await readQuote(platform, quoted)).status, 'PENDING')
    await advance(platform, 20)
    expectError(await execute(platform, quoted), 409, 'QUOTE_EXPIRED')
    assert.deepEqual(
      await eventTypesOf(platform, quoted.transactionId),
      outgoing('PENDING', 'EXPIRED'),
    )
  })

  test('QUOTE-13 an executed quote does not expire', async () => {
    const { platform, quoted } = await prepared(1000, '003')
    expectStatus(await execute(platform, quoted), 200)
    await advance(platform, 301)
    assert.equal((await readQuote(platform, quoted)).status, 'PROCESSING')
    await advance(platform, 60)
    assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
  })

  test('QUOTE-24 the body may be absent or empty, and knows its factors', async () => {
    const { platform, quoted } = await prepared()
    const path = `/quotes/${quoted.id}/execute` as const
    expectFields(await platform.api.post(path, { scaFactor: 'FACE' }), ['scaFactor'])
    expectStatus(await platform.api.post(path, {}), 200)
  })

  test('QUOTE-9 EACC-14 IACC-8 the gates are passed again at execution', async () => {
    const { platform, quoted, to, account } = await prepared()
    const { api } = platform
    expectStatus(await api.delete(`/platform/external-accounts/${to}`), 204)
    const details = expectError(await execute(platform, quoted), 409, 'CONFLICT')
    assert.equal(details['reason'], 'DESTINATION_DELETED')
    const other = await payee(platform, 'EUR_ACCOUNT')
    const second = expectStatus(
      await quote(platform, { from: account, to: other, amount: 10 }),
      201,
    )
    await asOperator(kit, platform, (work) =>
      setAccountStatus(work, { id: mustParseId('externalAccount', other), status: 'INACTIVE' }),
    )
    const inactive = expectError(await execute(platform, second), 400, 'INVALID_BANK_ACCOUNT')
    assert.equal(inactive['status'], 'INACTIVE')
    await asOperator(kit, platform, (work) =>
      setAccountStatus(work, { id: mustParseId('externalAccount', other), status: 'ACTIVE' }),
    )
    await asOperator(kit, platform, (work) =>
      freezeAccount(work, mustParseId('internalAccount', account)),
    )
    expectError(await execute(platform, second), 403, 'USER_NOT_READY')
    assert.equal((await readQuote(platform, second)).status, 'PENDING')
  })

  test('QUOTE-9 TXN-1 deleting the customer ends its quotes', async () => {
    const { platform, customerId, quoted, transactionId } = await prepared()
    const { account } = { account: await customerAccount(platform, customerId, 'USD') }
    const all = expectStatus(
      await quote(platform, {
        from: account,
        to: await payee(platform, 'USD_ACCOUNT'),
        amount: 100_000,
      }),
      201,
    )
    expectStatus(await execute(platform, all), 200)
    expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
    assert.equal((await readQuote(platform, quoted)).status, 'EXPIRED')
    assert.deepEqual(await eventTypesOf(platform, transactionId), outgoing('PENDING', 'EXPIRED'))
    expectError(await execute(platform, quoted), 409, 'QUOTE_EXPIRED')
    await advance(platform, 301)
    assert.equal((await eventTypesOf(platform, transactionId)).length, 2)
  })
})

describe('QUOTE-16 immediately', () => {
  test('QUOTE-16 a refused immediate quote leaves nothing at all', async () => {
    const { platform, account: from } = await payer(await kit.platform(), { funded: 999 })
    const to = await payee(platform, 'EUR_ACCOUNT')
    const asked = { from, to, amount: 1000, immediatelyExecute: true }
    const details = expectError(await quote(platform, asked), 400, 'INSUFFICIENT_BALANCE')
    assert.equal(details['required'], 1000)
    const { api } = platform
    const query = { type: 'OUTGOING' }
    const list = expectStatus(await api.get('/transactions', { query }), 200)
    assert.deepEqual(list.data, [])
    const events = expectStatus(await api.get('/events'), 200).data
    assert.ok(events.every(({ type }) => !type.startsWith('OUTGOING_PAYMENT')))
  })

  test('QUOTE-16 QUOTE-17 success, failure and delay at once or later', async () => {
    const { platform, account: from } = await payer(await kit.platform())
    const run = async (suffix: string) => {
      const to = await payee(platform, 'EUR_ACCOUNT', { suffix })
      const answer = await quote(platform, { from, to, amount: 1000, immediatelyExecute: true })
      const quoted = expectStatus(answer, 201)
      assert.equal(quoted.status, 'PROCESSING')
      return { quoted, events: await eventTypesOf(platform, quoted.transactionId) }
    }
    const paid = await run('000')
    assert.deepEqual(paid.events, outgoing('PENDING', 'PROCESSING', 'COMPLETED'))
    const failed = await run('004')
    assert.deepEqual(
      failed.events,
      outgoing('PENDING', 'PROCESSING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'),
    )
    const late = await run('003')
    assert.deepEqual(late.events, outgoing('PENDING', 'PROCESSING'))
    assert.equal((await readQuote(platform, late.quoted)).status, 'PROCESSING')
    assert.equal(await balanceOf(platform, from), 98_000)
  })

  test('CORE-41 under a key the money leaves once', async () => {
    const { platform, account: from } = await payer(await kit.platform())
    const to = await payee(platform, 'EUR_ACCOUNT')
    const headers = { 'Idempotency-Key': newUuid() }
    const body = quoteBody({ from, to, amount: 1000, immediatelyExecute: true })
    const first = await platform.api.post('/quotes', body, { headers })
    const again = await platform.api.post('/quotes', body, { headers })
    assert.equal(first.text, again.text)
    assert.equal(expectStatus(again, 201).status, 'PROCESSING')
    assert.equal(await balanceOf(platform, from), 99_000)
  })
})

describe('TXN-3 TXN-4 inside', () => {
  test('TXN-3 a payment into another’s account is seen on both sides', async () => {
    const { platform, account: from, customerId } = await payer(await kit.platform())
    const other = (await createCustomer(platform)).id
    const to = await customerAccount(platform, other, 'EUR')
    const answer = await quote(platform, { from, to, amount: 10_000, immediatelyExecute: true })
    const quoted = expectStatus(answer, 201)
    assert.equal(await balanceOf(platform, to), 9154)
    const list = await platform.api.get('/transactions', { query: { customerId: other } })
    const [incoming, ...more] = expectStatus(list, 200).data
    assert.deepEqual(more, [])
    assert.equal(incoming?.type, 'INCOMING')
    assert.equal(incoming.status, 'COMPLETED')
    assert.equal(incoming.quoteId, quoted.id)
    assert.equal(incoming.source?.accountId, from)
    assert.equal(incoming.receivedAmount?.amount, 9154)
    assert.deepEqual(await eventTypesOf(platform, incoming.id), ['INCOMING_PAYMENT.COMPLETED'])
    const own = await customerAccount(platform, customerId, 'EUR')
    expectStatus(
      await quote(platform, { from, to: own, amount: 10_000, immediatelyExecute: true }),
      201,
    )
    const query = { customerId, type: 'INCOMING' }
    const mine = expectStatus(await platform.api.get('/transactions', { query }), 200).data
    assert.ok(
      mine.every(({ quoteId }) => quoteId === undefined),
      'an own conversion is no income',
    )
  })
})

describe('QUOTE-3 TXN-16 pulling', () => {
  const pulled = async (suffix: string, to: string, platform: Parameters<typeof payee>[0]) => {
    const from = await payee(platform, 'USD_ACCOUNT', { suffix })
    const quoted = expectStatus(await quote(platform, { from, to, amount: 10_000 }), 201)
    assert.equal(expectStatus(await execute(platform, quoted), 200).status, 'PROCESSING')
    return quoted.transactionId
  }

  test('L4 a pulled payment is delivered; a pull that fails took nothing and refunds nothing', async () => {
    const { platform, customerId } = await payer(await kit.platform())
    const to = await customerAccount(platform, customerId, 'EUR')
    const paid = await readTransaction(platform, await pulled('000', to, platform))
    assert.equal(paid.status, 'COMPLETED')
    assert.equal(await balanceOf(platform, to), 9154)
    for (const suffix of ['002', '003', '004']) {
      const failed = await readTransaction(platform, await pulled(suffix, to, platform))
      assert.deepEqual(
        [failed.status, failed.failureReason, failed.refund],
        ['FAILED', 'QUOTE_EXECUTION_FAILED', undefined],
      )
    }
    const slow = await pulled('005', to, platform)
    assert.equal((await readTransaction(platform, slow)).status, 'PROCESSING')
    await advance(platform, 30)
    assert.equal((await readTransaction(platform, slow)).status, 'FAILED')
    assert.equal(await balanceOf(platform, to), 9154)
  })

  test('TXN-8 TXN-15 a pull is called back while it is under way; once pulled the payout decides', async () => {
    const { platform } = await payer(await kit.platform())
    const { api } = platform
    const to = await payee(platform, 'EUR_ACCOUNT')
    const slow = await pulled('005', to, platform)
    const cancelled = expectStatus(await api.post(`/transactions/${slow}/cancel`), 200)
    assert.equal(cancelled.status, 'FAILED')
    assert.equal(cancelled.refund, undefined)
    const late = await pulled(
      '000',
      await payee(platform, 'EUR_ACCOUNT', { suffix: '003' }),
      platform,
    )
    const refused = await api.post(`/transactions/${late}/cancel`)
    expectError(refused, 409, 'TRANSACTION_NOT_CANCELLABLE')
    const back = await pulled(
      '000',
      await payee(platform, 'EUR_ACCOUNT', { suffix: '004' }),
      platform,
    )
    const refunded = await readTransaction(platform, back)
    assert.equal(refunded.refund?.status, 'COMPLETED')
  })
})

describe('EACC-18 invoices', () => {
  const INVOICE =
    'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'

  test('EACC-18 the first completed payment spends an invoice, a second one comes back', async () => {
    const { platform, account: from } = await payer(await kit.platform())
    const accountInfo = { accountType: 'LIGHTNING', invoice: INVOICE }
    const body = { currency: 'BTC', accountInfo }
    const created = await platform.api.post('/platform/external-accounts', body)
    const to = expectStatus(created, 201).id
    const asked = { from, to, amount: 250_000, side: 'RECEIVING' as const }
    const quotes: Shown<Quote>[] = []
    for (let count = 0; count < 3; count += 1) {
      quotes.push(expectStatus(await quote(platform, asked), 201))
    }
    const answers = await Promise.all(quotes.map((quoted) => execute(platform, quoted)))
    const accepted = answers.filter(({ status }) => status === 200)
    assert.ok(accepted.length >= 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 400, 'INVALID_BANK_ACCOUNT')
    }
    const outcomes = await Promise.all(
      quotes.map(async ({ transactionId }) => readTransaction(platform, transactionId)),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'COMPLETED').length, 1)
    for (const lost of outcomes.filter(({ status }) => status === 'FAILED')) {
      assert.equal(lost.failureReason, 'LIGHTNING_PAYMENT_FAILED')
      assert.equal(lost.refund?.status, 'COMPLETED')
    }
    const account = await platform.api.get(`/platform/external-accounts/${to}`)
    assert.equal(expectStatus(account, 200).status, 'INACTIVE')
    expectError(await quote(platform, asked), 400, 'INVALID_BANK_ACCOUNT')
    assert.equal(await balanceOf(platform, from), 100_000 - Number(quotes[0]?.totalSendingAmount))
  })
})

const FEE = {
  feeConfigs: [
    {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'USD',
      variableFeeBps: 0,
      fixedFee: { amount: 100, currency: 'USD' },
    },
  ],
}

test('FEE-6 L14 a fee that cannot be taken back is owed, and later credits pay it first', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  expectStatus(await platform.api.patch('/config', FEE), 200)
  const own = await platformAccount(platform, 'USD')
  const to = await payee(platform, 'EUR_ACCOUNT', { suffix: '005' })
  const first = { from, to, amount: 10_000, immediatelyExecute: true }
  expectStatus(await quote(platform, first), 201)
  assert.equal(await balanceOf(platform, own), 100)
  const away = await payee(platform, 'USD_ACCOUNT')
  expectStatus(
    await quote(platform, { from: own, to: away, amount: 70, immediatelyExecute: true }),
    201,
  )
  assert.equal(await balanceOf(platform, own), 30)
  await advance(platform, 30)
  assert.equal(await balanceOf(platform, own), 0, '30 could be taken back, 70 are owed')
  assert.equal(await balanceOf(platform, from), 100_000)
  await fund(platform, own, 50)
  assert.equal(await balanceOf(platform, own), 0)
  const good = await payee(platform, 'EUR_ACCOUNT')
  expectStatus(await quote(platform, { ...first, to: good }), 201)
  assert.equal(await balanceOf(platform, own), 80, 'of 100 earned 20 were still owed')
})

test('TXN-7 a refund that fails lies with the operator until it is tried again', async () => {
  const { platform, account, quoted, transactionId } = await prepared(1000, '007')
  expectStatus(await execute(platform, quoted), 200)
  assert.equal(await balanceOf(platform, account), 99_000)
  await operate(kit, `refunds retry ${transactionId}`)
  assert.equal(await balanceOf(platform, account), 100_000)
  assert.deepEqual(
    await eventTypesOf(platform, transactionId),
    outgoing(
      'PENDING',
      'PROCESSING',
      'FAILED',
      'REFUND_PENDING',
      'REFUND_FAILED',
      'REFUND_COMPLETED',
    ),
  )
  await assert.rejects(operate(kit, `refunds retry ${transactionId}`), { code: 'CONFLICT' })
})

test('TXN-8 a refund lands on an account that was frozen meanwhile', async () => {
  const { platform, account, quoted } = await prepared(1000, '005')
  expectStatus(await execute(platform, quoted), 200)
  await asOperator(kit, platform, (work) =>
    freezeAccount(work, mustParseId('internalAccount', account)),
  )
  await advance(platform, 30)
  assert.equal(await balanceOf(platform, account), 100_000)
})
