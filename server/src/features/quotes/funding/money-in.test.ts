/** Quotes that bring money in from outside: which way they go, whose account they may debit, how they are funded. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Quote } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  type Body,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  execute,
  payee,
  payer,
  platformAccount,
  quote,
  readQuote,
  readTransaction,
  type QuoteFields,
} from '../../../../test/kit/payments.ts'
import { newScaCustomer } from '../../../../test/kit/sca/sca.ts'

const kit = await startKit()

async function quoted(platform: TestPlatform, fields: QuoteFields) {
  return expectStatus(await quote(platform, fields), 201)
}

const directionOf = async (
  platform: TestPlatform,
  { transactionId }: Shown<Quote>,
): Promise<string[]> => {
  const shown = await readTransaction(platform, transactionId)
  return [shown.type, shown.direction]
}

const realtime = (customerId?: string) => ({
  sourceType: 'REALTIME_FUNDING',
  currency: 'USD',
  ...(customerId !== undefined && { customerId }),
})

const send = ({ api }: TestPlatform, { id }: HasId, more: object = {}) =>
  api.post('/sandbox/send', { quoteId: id, currencyCode: 'USD', ...more })

describe('TXN-20 direction', () => {
  test('TXN-20 is CREDIT where the owner’s own money comes in from outside, else DEBIT', async () => {
    const { platform, customerId, account } = await payer(await kit.platform(), { funded: 1_000 })
    const other = await payer(platform, { funded: 0 })
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
    const ownBank = await payee(platform, 'USD_ACCOUNT')
    const own = await platformAccount(platform, 'USD')
    const eur = await customerAccount(platform, customerId, 'EUR')
    const named = { sourceType: 'ACCOUNT', accountId: ownBank, customerId }
    const cases: readonly [string, Partial<QuoteFields>, string][] = [
      ['pulled into the own account', { from: bank, to: account }, 'CREDIT'],
      ['pulled into the own account, converted', { from: bank, to: eur }, 'CREDIT'],
      ['pulled to pay somebody', { from: bank, to: ownBank }, 'DEBIT'],
      ['the platform’s, into its own', { from: ownBank, to: own }, 'CREDIT'],
      ['the platform’s, into a customer’s', { from: ownBank, to: account }, 'DEBIT'],
      ['on behalf of whom it reaches', { source: named, to: account }, 'CREDIT'],
      ['funded by its owner', { source: realtime(customerId), to: account }, 'CREDIT'],
      ['funded for another', { source: realtime(customerId), to: other.account }, 'DEBIT'],
      ['funded by the platform, for itself', { source: realtime(), to: own }, 'CREDIT'],
      ['funded by the platform, for a customer', { source: realtime(), to: account }, 'DEBIT'],
      ['converted inside', { from: account, to: eur }, 'DEBIT'],
      ['paid out', { from: account, to: bank }, 'DEBIT'],
    ]
    for (const [what, { from = '', to = '', ...more }, direction] of cases) {
      const made = await quoted(platform, { from, to, amount: 1_000, ...more })
      assert.deepEqual(await directionOf(platform, made), ['OUTGOING', direction], what)
    }
  })

  test('TXN-20 it stays as it was created, in every event and in the list', async () => {
    const { platform, customerId, account } = await payer(await kit.platform(), { funded: 0 })
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
    const made = await quoted(platform, { from: bank, to: account, amount: 5_000 })
    expectStatus(await execute(platform, made), 200)
    assert.deepEqual(await directionOf(platform, made), ['OUTGOING', 'CREDIT'])
    const query = { type: 'OUTGOING', customerId }
    const list = expectStatus(await platform.api.get('/transactions', { query }), 200)
    assert.equal((list.data as unknown as Body[])[0]?.['direction'], 'CREDIT')
    const events = expectStatus(await platform.api.get('/events', { query: { limit: 100 } }), 200)
    const emitted = (events.data as unknown as Body[])
      .map(({ data }) => data as Body)
      .filter(({ id }) => String(id) === made.transactionId)
    assert.deepEqual(
      emitted.map(({ direction }) => direction),
      ['CREDIT', 'CREDIT', 'CREDIT'],
    )
  })
})

test('TXN-2 TXN-3 pulled on behalf of the customer it reaches, it is on one transaction, not on two', async () => {
  const { platform, customerId, account } = await payer(await kit.platform(), { funded: 0 })
  const accountId = await payee(platform, 'USD_ACCOUNT')
  const source = { sourceType: 'ACCOUNT', accountId, customerId }
  const made = await quoted(platform, { from: '', to: account, amount: 1_000, source })
  expectStatus(await execute(platform, made), 200)
  assert.equal(await balanceOf(platform, account), 1_000)
  const list = await platform.api.get('/transactions', { query: { customerId } })
  const shown = expectStatus(list, 200).data.map(({ id, type }) => [id, type])
  assert.deepEqual(shown, [[made.transactionId, 'OUTGOING']])
})

describe('QUOTE-26 whose account is pulled', () => {
  test('QUOTE-26 a customer’s external account funds that customer’s accounts alone', async () => {
    const { platform, customerId, account } = await payer(await kit.platform(), { funded: 0 })
    const other = await payer(platform, { funded: 0 })
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
    const own = await platformAccount(platform, 'USD')
    for (const to of [other.account, own]) {
      const answer = await quote(platform, { from: bank, to, amount: 1_000 })
      expectFields(answer, ['destination.accountId'])
    }
    await quoted(platform, { from: bank, to: account, amount: 1_000 })
  })

  test('QUOTE-26 the platform’s own funds its accounts and those of its customers', async () => {
    const { platform, account } = await payer(await kit.platform(), { funded: 0 })
    const bank = await payee(platform, 'USD_ACCOUNT')
    const own = await platformAccount(platform, 'USD')
    for (const to of [account, own]) {
      const made = await quoted(platform, { from: bank, to, amount: 1_000 })
      expectStatus(await execute(platform, made), 200)
      assert.equal(await balanceOf(platform, to), 1_000)
    }
  })
})

describe('section 9.5: QUOTE-19 funds that are pushed from an external account', () => {
  test('scenario 21: the push executes the quote, whatever a pull would have come to', async () => {
    const { platform, customerId, account } = await payer(await kit.platform(), { funded: 0 })
    // A pull from this one fails.
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId, suffix: '002' })
    const made = await quoted(platform, { from: bank, to: account, amount: 5_000 })
    expectError(await send(platform, made, { currencyCode: 'EUR' }), 400, 'INVALID_CURRENCY')
    const accepted = expectStatus(await send(platform, made), 200)
    assert.deepEqual(
      [accepted.status, accepted.direction, accepted.source?.accountId],
      ['PROCESSING', 'CREDIT', bank],
    )
    assert.equal((await readQuote(platform, made)).status, 'COMPLETED')
    assert.equal(await balanceOf(platform, account), 5_000)
    assert.deepEqual(await eventTypesOf(platform, made.transactionId), [
      'OUTGOING_PAYMENT.PENDING',
      'OUTGOING_PAYMENT.PROCESSING',
      'OUTGOING_PAYMENT.COMPLETED',
    ])
    for (const again of [await execute(platform, made), await send(platform, made)]) {
      const details = expectError(again, 409, 'CONFLICT')
      assert.equal(details?.['quoteStatus'], 'COMPLETED')
    }
    assert.equal(await balanceOf(platform, account), 5_000)
  })

  test('TXN-8 another amount fails the quote and goes back to the external account', async () => {
    const { platform, customerId, account } = await payer(await kit.platform(), { funded: 0 })
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
    const made = await quoted(platform, { from: bank, to: account, amount: 5_000 })
    expectStatus(await send(platform, made, { currencyAmount: 4_999 }), 200)
    const failed = await readTransaction(platform, made.transactionId)
    assert.deepEqual(
      [failed.status, failed.failureReason, failed.refund?.status],
      ['FAILED', 'FUNDING_AMOUNT_MISMATCH', 'COMPLETED'],
    )
    assert.equal(await balanceOf(platform, account), 0)
  })

  test('section 9.3: the destination decides as at execution, and a failed payout goes back outside', async () => {
    const { platform, customerId, account } = await payer(await kit.platform(), { funded: 0 })
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
    const failing = await payee(platform, 'EUR_ACCOUNT', { suffix: '004' })
    const slow = await payee(platform, 'EUR_ACCOUNT', { suffix: '003' })
    const refused = await quoted(platform, { from: bank, to: failing, amount: 5_000 })
    expectStatus(await send(platform, refused), 200)
    const failed = await readTransaction(platform, refused.transactionId)
    assert.deepEqual(
      [failed.failureReason, failed.refund?.status],
      ['COUNTERPARTY_POST_TX_FAILED', 'COMPLETED'],
    )
    const waiting = await quoted(platform, { from: bank, to: slow, amount: 5_000 })
    expectStatus(await send(platform, waiting), 200)
    assert.equal((await readQuote(platform, waiting)).status, 'PROCESSING')
    await advance(platform, 360)
    assert.equal((await readQuote(platform, waiting)).status, 'COMPLETED')
    assert.equal(await balanceOf(platform, account), 0)
  })

  test('an internal source, an expired quote and one that needs a proof take no funds', async () => {
    const { platform, customerId, account } = await payer(await kit.platform())
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
    const inside = await quoted(platform, { from: account, to: bank, amount: 1_000 })
    expectFields(await send(platform, inside), ['quoteId'])
    const late = await quoted(platform, { from: bank, to: account, amount: 1_000 })
    await advance(platform, 300)
    expectError(await send(platform, late), 409, 'QUOTE_EXPIRED')
    const sca = await newScaCustomer(platform)
    const scaBank = await payee(platform, 'USD_ACCOUNT', { customerId: sca.customerId })
    const proven = await quoted(platform, {
      from: scaBank,
      to: await payee(platform, 'EUR_ACCOUNT'),
      amount: 1_000,
    })
    const details = expectError(await send(platform, proven), 409, 'CONFLICT')
    assert.equal(details?.['reason'], 'SCA_REQUIRED')
    assert.equal((await readQuote(platform, proven)).status, 'PENDING')
    const into = await customerAccount(platform, sca.customerId, 'USD')
    const own = await quoted(platform, { from: scaBank, to: into, amount: 1_000 })
    expectStatus(await send(platform, own), 200)
    assert.equal(await balanceOf(platform, into), 1_000, 'the own account needs no proof')
  })

  test('QUOTE-14 of racing executes and sends one is taken', async () => {
    const { platform, customerId, account } = await payer(await kit.platform(), { funded: 0 })
    const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
    const made = await quoted(platform, { from: bank, to: account, amount: 1_000 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? send(platform, made) : execute(platform, made),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'CONFLICT')
    }
    assert.equal(await balanceOf(platform, account), 1_000)
  })
})
