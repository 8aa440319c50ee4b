import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Quote } from '../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  type HasId,
  type Shown,
} from '../../test/kit/api.ts'
import { advance } from '../../test/kit/outside/connect-receiver.ts'
import { createCustomer } from '../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../test/kit/florin.ts'
import { operate } from '../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  payee,
  platformAccount,
  quote,
  readQuote,
  readTransaction,
} from '../../test/kit/payments.ts'
import { newScaCustomer } from '../../test/kit/sca/sca.ts'
import { umaAddressOf } from '../../test/kit/uma.ts'
import { newUuid } from '../kernel/ids.ts'
import { ACCOUNT_TYPES } from '../features/external-accounts/account-types/table.ts'
import { fundingNetworksOf } from '../features/internal-accounts/index.ts'
import { networksOf } from '../features/rates/index.ts'

const kit = await startKit()

type Asked = Readonly<{ currency?: string; customerId?: string; cryptoNetwork?: string }>

async function waiting(
  platform: TestPlatform,
  { currency = 'USD', ...source }: Asked = {},
  more: object = {},
) {
  const to = await payee(platform, 'EUR_ACCOUNT')
  const answer = await platform.api.post('/quotes', {
    source: { sourceType: 'REALTIME_FUNDING', currency, ...source },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 1_000_000,
    ...more,
  })
  return expectStatus(answer, 201)
}

const send = ({ api }: TestPlatform, { id }: HasId, more: object = {}) =>
  api.post('/sandbox/send', { quoteId: id, currencyCode: 'USD', ...more })

const typesIn = (quoted: Shown<Quote>): string[] =>
  items(quoted.paymentInstructions).map((entry) => entry.accountOrWalletInfo.accountType)

describe('QUOTE-5 QUOTE-18 asking for funds', () => {
  test('QUOTE-18 the instructions are the currency’s, and this quote’s alone', async () => {
    const platform = await kit.platform()
    const [one, two] = [await waiting(platform), await waiting(platform)]
    assert.deepEqual(typesIn(one), ['US_ACCOUNT', 'SPARK_WALLET', 'SOLANA_WALLET'])
    const secrets = (quoted: Shown<Quote>): string[] =>
      items(quoted.paymentInstructions).flatMap((entry) => {
        const { reference, accountNumber, address, invoice } = entry.accountOrWalletInfo ?? {}
        return [reference, accountNumber, address, invoice].flatMap((value) =>
          value === undefined ? [] : [value],
        )
      })
    const both = [...secrets(one), ...secrets(two)]
    assert.equal(new Set(both).size, both.length)
    const rails = items(one.paymentInstructions)[0]?.accountOrWalletInfo.paymentRails
    assert.ok(!items(rails).some((rail) => ['ACH', 'WIRE'].includes(rail)), 'instant ones only')
    const transaction = await readTransaction(platform, one.transactionId)
    assert.deepEqual(transaction.paymentInstructions, one.paymentInstructions)
  })

  test('QUOTE-5 the same networks carry a coin wherever one is named', async () => {
    for (const coin of ['USDC', 'USDT', 'USDB', 'BTC']) {
      const carried = networksOf(coin).toSorted()
      assert.deepEqual(fundingNetworksOf(coin).toSorted(), carried, coin)
      const ofAccounts = ACCOUNT_TYPES.filter(
        ({ kind, currencies }) => kind !== 'fiat' && currencies.includes(coin),
      ).map(({ accountType }) => accountType.replace('_WALLET', ''))
      // The chain of Bitcoin itself has no type of external account.
      const payable = carried.filter((network) => network !== 'BITCOIN')
      assert.deepEqual(ofAccounts.toSorted(), payable, coin)
    }
    const platform = await kit.platform({ currencies: ['USDT'] })
    const all = await waiting(platform, { currency: 'USDT' })
    const wallets = ['TRON_WALLET', 'ETHEREUM_WALLET', 'PLASMA_WALLET', 'SOLANA_WALLET']
    assert.deepEqual(typesIn(all), wallets)
    const one = await waiting(platform, { currency: 'USDT', cryptoNetwork: 'SOLANA' })
    assert.deepEqual(typesIn(one), ['SOLANA_WALLET'])
  })

  test('QUOTE-5 a network narrows the instructions of a coin and must carry it', async () => {
    const platform = await kit.platform()
    const all = await waiting(platform, { currency: 'USDC' })
    assert.equal(typesIn(all).length, 4)
    const base = await waiting(platform, { currency: 'USDC', cryptoNetwork: 'BASE' })
    assert.deepEqual(typesIn(base), ['BASE_WALLET'])
    const refused = async (source: object) =>
      platform.api.post('/quotes', {
        source: { sourceType: 'REALTIME_FUNDING', ...source },
        destination: {
          destinationType: 'ACCOUNT',
          accountId: await payee(platform, 'EUR_ACCOUNT'),
        },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1_000_000,
      })
    const [error] = expectFields(await refused({ currency: 'USDC', cryptoNetwork: 'TRON' }), [
      'source.cryptoNetwork',
    ])
    assert.deepEqual(error?.['constraint']?.['enum'], ['SOLANA', 'BASE', 'POLYGON', 'ETHEREUM'])
    expectFields(await refused({ currency: 'USD', cryptoNetwork: 'BASE' }), [
      'source.cryptoNetwork',
    ])
    expectError(await refused({ currency: 'GBP' }), 400, 'INVALID_CURRENCY')
    expectError(await refused({ currency: 'ZZZ' }), 400, 'INVALID_CURRENCY')
    const nobody = await refused({ currency: 'USD', customerId: `Customer:${newUuid()}` })
    expectError(nobody, 404, 'USER_NOT_FOUND')
    const unlisted = await kit.platform({ currencies: ['USD', 'KES'] })
    const answer = await unlisted.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'KES' },
      destination: { destinationType: 'ACCOUNT', accountId: await payee(unlisted, 'EUR_ACCOUNT') },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000_000,
    })
    expectError(answer, 400, 'INVALID_CURRENCY')
  })

  test('QUOTE-16 immediatelyExecute is ignored where the quote executes itself when funds arrive', async () => {
    const platform = await kit.platform()
    const accountId = await payee(platform, 'EUR_ACCOUNT')
    const ask = async (more: object) => {
      const answer = await platform.api.post('/quotes', {
        source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
        destination: { destinationType: 'ACCOUNT', accountId },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1000,
        ...more,
      })
      return expectStatus(answer, 201)
    }
    const [plain, immediate] = [await ask({}), await ask({ immediatelyExecute: true })]
    assert.equal(immediate.status, 'PENDING')
    assert.deepEqual(Object.keys(immediate).toSorted(), Object.keys(plain).toSorted())
    const sent = { quoteId: immediate.id, currencyCode: 'USD' }
    expectStatus(await platform.api.post('/sandbox/send', sent), 200)
    const after = expectStatus(await platform.api.get(`/quotes/${immediate.id}`), 200)
    assert.equal(after.status, 'COMPLETED')
  })

  test('QUOTE-5 QUOTE-9 what could never be asked for is refused as such; production has nobody yet who takes funds in as they arrive', async () => {
    const platform = await kit.platform({ environment: 'PRODUCTION', kind: 'UNREGULATED' })
    const accountId = await platformAccount(platform, 'USD')
    const ask = (source: object, more: object = {}) =>
      platform.api.post('/quotes', {
        source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', ...source },
        destination: { destinationType: 'ACCOUNT', accountId, ...more },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1000,
      })
    expectError(await ask({}), 501, 'NOT_IMPLEMENTED')
    expectFields(await ask({}, { paymentRail: 'ACH' }), ['destination.paymentRail'])
    for (const currency of ['JPY', 'GBP']) {
      expectError(await ask({ currency }), 400, 'INVALID_CURRENCY')
    }
    const customerId = (await createCustomer(platform)).id
    expectError(await ask({ customerId }), 403, 'USER_NOT_READY')
  })
})

describe('QUOTE-19 sending funds (9.5)', () => {
  test('the form, a quote that an account funds, one that is unknown', async () => {
    const platform = await kit.platform()
    expectFields(await platform.api.post('/sandbox/send', { currencyAmount: 0 }), [
      'quoteId',
      'currencyCode',
      'currencyAmount',
    ])
    const from = await platformAccount(platform, 'USD')
    const to = await payee(platform, 'EUR_ACCOUNT')
    const funded = expectStatus(await quote(platform, { from, to, amount: 1000 }), 201)
    expectFields(await send(platform, funded), ['quoteId'])
    const unknown = { id: `Quote:${newUuid()}` }
    expectError(await send(platform, unknown), 404, 'QUOTE_NOT_FOUND')
  })

  test('QUOTE-19 the exact amount executes, and the transaction shows how it came', async () => {
    const platform = await kit.platform()
    const quoted = await waiting(platform)
    const accepted = expectStatus(await send(platform, quoted, { currencyAmount: 1_000_000 }), 200)
    assert.equal(accepted.status, 'PROCESSING')
    assert.equal(accepted.source?.paymentRail, 'RTP')
    assert.deepEqual(await eventTypesOf(platform, quoted.transactionId), [
      'OUTGOING_PAYMENT.PENDING',
      'OUTGOING_PAYMENT.PROCESSING',
      'OUTGOING_PAYMENT.COMPLETED',
    ])
  })

  test('QUOTE-19 TXN-8 coins of the wrong amount go to their owner’s account of the coin', async () => {
    const platform = await kit.platform()
    const customerId = (await createCustomer(platform, { currencies: ['USD'] })).id
    const quoted = await waiting(platform, { currency: 'USDC', customerId })
    const more = { currencyCode: 'USDC', currencyAmount: 999_999 }
    expectStatus(await send(platform, quoted, more), 200)
    const transaction = await readTransaction(platform, quoted.transactionId)
    assert.equal(transaction.failureReason, 'FUNDING_AMOUNT_MISMATCH')
    assert.equal(transaction.refund?.status, 'COMPLETED')
    const made = await customerAccount(platform, customerId, 'USDC')
    assert.equal(await balanceOf(platform, made), 999_999)
  })

  test('TXN-8 IACC-1 coins that are paid out, or never come, open no account of the coin', async () => {
    const platform = await kit.platform()
    const coinsOf = async (customerId: string) => {
      const query = { customerId, currency: 'USDC' }
      const answer = await platform.api.get('/customers/internal-accounts', { query })
      return expectStatus(answer, 200).data
    }
    const customerId = (await createCustomer(platform, { currencies: ['USD'] })).id
    const slow = await payee(platform, 'EUR_ACCOUNT', { suffix: '003' })
    const receiver = (await createCustomer(platform)).id
    for (const destination of [
      { destinationType: 'ACCOUNT', accountId: slow },
      { destinationType: 'UMA_ADDRESS', umaAddress: await umaAddressOf(platform, receiver) },
    ]) {
      const quoted = await waiting(platform, { currency: 'USDC', customerId }, { destination })
      expectStatus(await send(platform, quoted, { currencyCode: 'USDC' }), 200)
      await advance(platform, 360)
      assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
    }
    assert.deepEqual(await coinsOf(customerId), [])
    const sca = await newScaCustomer(platform, { currencies: ['USD'] })
    const asked = await platform.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USDC', customerId: sca.customerId },
      destination: { destinationType: 'ACCOUNT', accountId: slow },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000_000,
    })
    const unproven = expectStatus(asked, 202)
    await advance(platform, 300)
    assert.equal((await readQuote(platform, unproven)).status, 'FAILED')
    assert.deepEqual(await coinsOf(sca.customerId), [])
  })

  test('TXN-8 IACC-6 coins that come back to a deleted customer land in a closed account, in no list', async () => {
    const platform = await kit.platform()
    const customerId = (await createCustomer(platform, { currencies: ['USD'] })).id
    const accountId = await payee(platform, 'EUR_ACCOUNT', { suffix: '005' })
    const destination = { destinationType: 'ACCOUNT', accountId }
    const quoted = await waiting(platform, { currency: 'USDC', customerId }, { destination })
    expectStatus(await send(platform, quoted, { currencyCode: 'USDC' }), 200)
    expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
    await advance(platform, 31)
    const returned = await readTransaction(platform, quoted.transactionId)
    assert.equal(returned.refund?.status, 'COMPLETED')
    const list = async (query: Record<string, string>) => {
      const answer = await platform.api.get('/customers/internal-accounts', { query })
      return expectStatus(answer, 200).data
    }
    const [made] = await list({ customerId, currency: 'USDC' })
    assert.deepEqual(
      [made?.status, made?.balance.amount],
      ['CLOSED', 1_000_000],
      'the refund lands, and nothing else moves there',
    )
    assert.deepEqual(await list({ currency: 'USDC' }), [])
  })

  test('QUOTE-13 after expiry and a second time nothing is taken', async () => {
    const platform = await kit.platform()
    const quoted = await waiting(platform)
    await advance(platform, 300)
    expectError(await send(platform, quoted), 409, 'QUOTE_EXPIRED')
    const other = await waiting(platform)
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(platform, other)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'CONFLICT')
    }
    assert.equal((await readQuote(platform, other)).status, 'COMPLETED')
  })

  test('QUOTE-9 QUOTE-19 what stands against executing fails the quote and gives the money back', async () => {
    const platform = await kit.platform()
    const to = await payee(platform, 'EUR_ACCOUNT')
    const answer = await platform.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: to },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1000,
    })
    const quoted = expectStatus(answer, 201)
    expectStatus(await platform.api.delete(`/platform/external-accounts/${to}`), 204)
    expectStatus(await send(platform, quoted), 200)
    const transaction = await readTransaction(platform, quoted.transactionId)
    assert.equal(transaction.failureReason, 'QUOTE_EXECUTION_FAILED')
    assert.equal(transaction.refund?.status, 'COMPLETED')
  })

  test('LIM-5 beyond the day’s volume funds are given back; the size was checked at creation', async () => {
    const platform = await kit.platform()
    const limits = '--currency USD --max-transaction 1000000 --daily-volume 1500000'
    await operate(kit, `limits set --platform ${platform.platformId} ${limits}`)
    const to = await payee(platform, 'EUR_ACCOUNT')
    const tooBig = await platform.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: to },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000_001,
    })
    expectError(tooBig, 400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED')
    const [one, two] = [await waiting(platform), await waiting(platform)]
    expectStatus(await send(platform, one), 200)
    expectStatus(await send(platform, two), 200)
    assert.equal((await readQuote(platform, one)).status, 'COMPLETED')
    const beyond = await readTransaction(platform, two.transactionId)
    assert.equal(beyond.failureReason, 'LIMIT_EXCEEDED')
    assert.equal(beyond.refund?.status, 'COMPLETED')
  })
})
