import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExchangeRate } from '../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  type Api,
  type Shown,
} from '../../../test/kit/api.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { payee, platformAccount, quote } from '../../../test/kit/payments.ts'
import { addMs, SECOND_MS, systemClock } from '../../kernel/clock.ts'

/** What production's clock is ahead; prices there grow old by it. */
let passedSeconds = 0
const now = (): Date => addMs(systemClock.now(), passedSeconds * SECOND_MS)
const kit = await startOwnKit({}, { clock: { now } })

type Query = Record<string, string | number | readonly string[]>

async function ratesOf(api: Api, query: Query = {}) {
  return expectStatus(await api.get('/exchange-rates', { query }), 200).data
}

async function rateOf(api: Api, query: Query) {
  const [row, ...others] = await ratesOf(api, query)
  assert.ok(row && others.length === 0)
  return row
}

const USD_EUR = { sourceCurrency: 'USD', destinationCurrency: 'EUR' }
const codesOf = (
  rows: readonly Shown<ExchangeRate>[],
  side: 'sourceCurrency' | 'destinationCurrency',
) => rows.map((row) => row[side].code)

test('RATE-8 FEE-1 a row shows the result of a quote of the amount, fees included', async () => {
  const { api } = await kit.platform()
  const row = await rateOf(api, { ...USD_EUR, sendingAmount: 10_000 })
  assert.equal(row.receivingAmount, 9154)
  assert.deepEqual(row.fees, { fixed: 0, total: 50 })
  assert.equal(row.exchangeRate, 1.092418615)
  assert.equal(row.destinationPaymentRail, 'SEPA_INSTANT')
  assert.deepEqual(row.sourceCurrency, {
    code: 'USD',
    name: 'United States Dollar',
    symbol: '$',
    decimals: 2,
  })
})

test('RATE-7 without an amount a row is of 10000; where nothing arrives it answers 0 and the bare rate', async () => {
  const { api } = await kit.platform()
  assert.equal((await rateOf(api, USD_EUR)).sendingAmount, 10_000)
  for (const sendingAmount of [0, 1]) {
    const row = await rateOf(api, { ...USD_EUR, sendingAmount })
    assert.equal(row.receivingAmount, 0)
    assert.equal(row.exchangeRate, 1.086956522)
    assert.equal(row.sendingAmount, sendingAmount)
  }
})

test('RATE-6 rows go from each of the platform’s currencies into every other one, sorted', async () => {
  const { api } = await kit.platform({ currencies: ['USD', 'BTC'] })
  const rows = await ratesOf(api)
  const pairs = rows.map((row) => `${row.sourceCurrency.code} ${row.destinationCurrency.code}`)
  assert.deepEqual(pairs, pairs.toSorted())
  assert.equal(new Set(pairs).size, pairs.length)
  assert.ok(pairs.includes('USD KES') && pairs.includes('BTC USD') && !pairs.includes('USD USD'))
  assert.ok(!pairs.some((pair) => pair.startsWith('EUR')))
})

test('RATE-6 coins have no rail and are priced over the cheapest network', async () => {
  const { api } = await kit.platform()
  const row = await rateOf(api, { sourceCurrency: 'USD', destinationCurrency: 'USDC' })
  assert.equal(row.destinationPaymentRail, undefined)
  assert.deepEqual(row.fees, { fixed: 1, total: 51 })
  assert.equal(row.receivingAmount, 99_490_000)
})

const RAILS = [
  ['USD', 'ACH', 'EUR'],
  ['GBP', 'FASTER_PAYMENTS', 'USD'],
  ['INR', 'UPI', 'USD'],
  ['KES', 'MOBILE_MONEY', 'USD'],
  ['SGD', 'FAST', 'USD'],
  ['JPY', 'SWIFT', 'USD'],
] as const

test('RATE-6 a row is for the default rail of its currency', async () => {
  const { api } = await kit.platform()
  for (const [destinationCurrency, rail, sourceCurrency] of RAILS) {
    const row = await rateOf(api, { sourceCurrency, destinationCurrency })
    assert.equal(row.destinationPaymentRail, rail)
  }
})

test('RATE-7 destinations may be repeated; unsupported codes give no rows', async () => {
  const { api } = await kit.platform()
  const rows = await ratesOf(api, {
    sourceCurrency: 'USD',
    destinationCurrency: ['MXN', 'EUR', 'ZZZ'],
  })
  assert.deepEqual(codesOf(rows, 'destinationCurrency'), ['EUR', 'MXN'])
  assert.deepEqual(await ratesOf(api, { sourceCurrency: 'GBP' }), [])
  assert.deepEqual(await ratesOf(api, { destinationCurrency: 'ZZZ' }), [])
})

test('RATE-7 malformed codes and amounts are refused', async () => {
  const { api } = await kit.platform()
  const query = { sourceCurrency: 'usd', destinationCurrency: 'EU', sendingAmount: '1.5' }
  expectFields(await api.get('/exchange-rates', { query }), [
    'sourceCurrency',
    'destinationCurrency.0',
    'sendingAmount',
  ])
  // The last four are numbers to a language, and no integer that anybody writes; one of them would be rounded.
  const amounts = ['-1', '9000000000000001', ' 1', '0x1F4', '1e3', '9000000000000000.1']
  for (const sendingAmount of amounts) {
    expectFields(await api.get('/exchange-rates', { query: { sendingAmount } }), ['sendingAmount'])
  }
  expectFields(await api.get('/transactions', { query: { limit: '0x10' } }), ['limit'])
})

test('RATE-9 the bounds are the platform’s range and the limit of a transaction, the lower one', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const before = await rateOf(api, USD_EUR)
  assert.equal(before.minSendingAmount, 3, '1 and 2 deliver nothing')
  assert.equal(before.maxSendingAmount, 100_000_000)
  const supportedCurrencies = [
    {
      currencyCode: 'USD',
      minAmount: 100,
      maxAmount: 5000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ['OUTGOING'],
    },
  ]
  expectStatus(await api.patch('/config', { supportedCurrencies }), 200)
  const narrow = await rateOf(api, USD_EUR)
  assert.deepEqual([narrow.minSendingAmount, narrow.maxSendingAmount], [100, 5000])
  await operate(
    kit,
    `limits set --platform ${platform.platformId} --currency USD --to EUR --max-transaction 4000`,
  )
  assert.equal((await rateOf(api, USD_EUR)).maxSendingAmount, 4000)
})

test('RATE-8 LIM-1 LIM-2 a row of an amount that no quote is made of answers 0 and the bare rate', async () => {
  const platform = await kit.platform()
  const { api, platformId } = platform
  const supportedCurrencies = [
    {
      currencyCode: 'USD',
      minAmount: 100,
      maxAmount: 5000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ['OUTGOING'],
    },
  ]
  expectStatus(await api.patch('/config', { supportedCurrencies }), 200)
  await operate(kit, `limits set --platform ${platformId} --currency USD --max-transaction 4000`)
  const [from, to] = [await platformAccount(platform, 'USD'), await payee(platform, 'EUR_ACCOUNT')]
  for (const amount of [99, 100, 4000, 4001, 5001]) {
    const { body } = await quote(platform, { from, to, amount })
    const received = body.totalReceivingAmount ?? 0
    const row = await rateOf(api, { ...USD_EUR, sendingAmount: amount })
    assert.equal(row.receivingAmount, received, String(amount))
    assert.equal(row.fees.total, body.feesIncluded ?? 0)
    if (received === 0) assert.equal(row.exchangeRate, 1.086956522)
  }
})

test('RATE-9 RATE-5 a quote takes both bounds of a row and nothing beyond; where no amount passes both are 0', async () => {
  const platform = await kit.platform({ currencies: ['USD', 'BTC'] })
  const { api, platformId } = platform
  await operate(kit, `limits set --platform ${platformId} --currency USD --max-transaction 5000`)
  const TYPES = { EUR: 'EUR_ACCOUNT', USDC: 'SOLANA_WALLET' } as const
  for (const [destinationCurrency, type] of Object.entries(TYPES)) {
    const row = await rateOf(api, { sourceCurrency: 'USD', destinationCurrency })
    const [min, max] = [Number(row.minSendingAmount), Number(row.maxSendingAmount)]
    const ends = { from: await platformAccount(platform, 'USD'), to: await payee(platform, type) }
    for (const amount of [min, max]) expectStatus(await quote(platform, { ...ends, amount }), 201)
    const below = await quote(platform, { ...ends, amount: min - 1 })
    const details = expectError(below, 400, 'AMOUNT_OUT_OF_RANGE')
    assert.deepEqual(details, { minimum: min, maximum: max, currency: 'USD' })
    const above = await quote(platform, { ...ends, amount: max + 1 })
    expectError(above, 400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED')
  }
  await operate(kit, `fees set --platform ${platformId} --service-bps 10000`)
  const closed = await rateOf(api, { sourceCurrency: 'USD', destinationCurrency: 'EUR' })
  assert.deepEqual([closed.minSendingAmount, closed.maxSendingAmount], [0, 0])
  const ends = {
    from: await platformAccount(platform, 'USD'),
    to: await payee(platform, 'EUR_ACCOUNT'),
  }
  const refused = await quote(platform, { ...ends, amount: 100 })
  const details = expectError(refused, 400, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual(details, { currency: 'USD' }, 'a bound that does not exist is left out')
})

test('RATE-10 a rate holds for 300 seconds of the platform’s clock, fees are live', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const first = await rateOf(api, USD_EUR)
  await advance(platform, 280)
  await operate(kit, `fees set --platform ${platform.platformId} --service-bps 100`)
  const same = await rateOf(api, USD_EUR)
  assert.equal(same.updatedAt, first.updatedAt)
  assert.deepEqual(same.fees, { fixed: 0, total: 100 })
  await advance(platform, 21)
  const later = await rateOf(api, USD_EUR)
  assert.ok(later.updatedAt > first.updatedAt)
})

test('RATE-10 racing calls see one rate', async () => {
  const { api } = await kit.platform()
  const rows = await Promise.all(Array.from({ length: 20 }, () => rateOf(api, USD_EUR)))
  assert.equal(new Set(rows.map((row) => row.updatedAt)).size, 1)
})

test('FEE-1 FEE-3 the operator’s and the platform’s fees are added', async () => {
  const platform = await kit.platform()
  const { api, platformId } = platform
  const set = await operate(
    kit,
    `fees set --platform ${platformId} --service-bps 100 --service-fixed USD:7`,
  )
  assert.equal(set['serviceBps'], 100)
  assert.deepEqual(set['fixed'], [{ currency: 'USD', serviceFixed: 7, applicationFee: 0 }])
  const feeConfigs = [
    {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'USD',
      variableFeeBps: 30,
      fixedFee: { amount: 50, currency: 'USD' },
    },
  ]
  const config = await api.patch('/config', { feeConfigs })
  expectStatus(config, 200)
  const row = await rateOf(api, { ...USD_EUR, sendingAmount: 1000 })
  assert.deepEqual(row.fees, { fixed: 57, total: 57 + 10 + 3 })
})

test('RATE-11 in production rows appear with fresh prices and go with stale ones', async () => {
  const { api } = await kit.platform({ environment: 'PRODUCTION' })
  const wanted = { sourceCurrency: 'USD', destinationCurrency: ['EUR', 'BTC'] }
  assert.deepEqual(await ratesOf(api, wanted), [])
  await operate(kit, 'network-fees set --network LIGHTNING --fee 0')
  const shown = await operate(kit, 'rates set --price EUR=0.5 --price BTC=1/100000')
  assert.deepEqual(
    items(shown).map(({ currency, unitsPerUsd, isFresh }) => [currency, unitsPerUsd, isFresh]),
    [
      ['BTC', '0.00001', true],
      ['EUR', '0.5', true],
    ],
  )
  const rows = await ratesOf(api, wanted)
  assert.deepEqual(codesOf(rows, 'destinationCurrency'), ['BTC', 'EUR'])
  assert.equal(rows[1]?.receivingAmount, 4975)
  passedSeconds += 600
  await operate(kit, 'rates set --price BTC=1/100000')
  passedSeconds += 301
  const { api: another } = await kit.platform({ environment: 'PRODUCTION' })
  for (const caller of [api, another]) {
    assert.deepEqual(codesOf(await ratesOf(caller, wanted), 'destinationCurrency'), ['BTC'])
  }
})

test('RATE-11 a cached rate with a stale price is refreshed from a fresh one, once', async () => {
  const { api } = await kit.platform({ environment: 'PRODUCTION' })
  await operate(kit, 'rates set --price EUR=0.5')
  passedSeconds += 840
  const first = await rateOf(api, USD_EUR)
  passedSeconds += 10
  await operate(kit, 'rates set --price EUR=0.25')
  const cached = await rateOf(api, USD_EUR)
  assert.deepEqual(cached, first, 'RATE-10')
  passedSeconds += 51
  const rows = await Promise.all(Array.from({ length: 10 }, () => rateOf(api, USD_EUR)))
  assert.equal(rows[0]?.receivingAmount, 2487)
  assert.equal(new Set(rows.map((row) => row.updatedAt)).size, 1)
  passedSeconds += 240
  assert.deepEqual(await rateOf(api, USD_EUR), rows[0], 'and holds for 300 seconds again')
})
