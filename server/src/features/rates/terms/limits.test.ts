import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import {
  defaultTransactionMax,
  limitsOf,
  secondsToMidnight,
  sizeRefusal,
  volumeRefusal,
} from './limits.ts'
import { SANDBOX_PRICES } from '../prices/sandbox-prices.ts'

function priceOf(currency: string) {
  const price = SANDBOX_PRICES.get(currency)
  assert.ok(price)
  return price
}

const usd = (amount: bigint) => ({ amount, currency: 'USD' })
const now = new Date('2026-03-01T10:00:00.000Z')

const CEILINGS: readonly (readonly [currency: string, minor: bigint, because: string])[] = [
  ['USD', 100_000_000n, 'a million dollars'],
  ['EUR', 92_000_000n, '920,000 euros'],
  ['JPY', 150_000_000n, 'no decimals'],
  ['USDC', 1_000_000_000_000n, 'six decimals'],
  ['BTC', 800_000_000n, '8.33 coins, floored to whole coins'],
  ['AED', 367_250_000n, 'an exact decimal'],
  ['XOF', 603_500_000n, 'half units vanish in a million'],
]

for (const [currency, minor, because] of CEILINGS) {
  test(`LIM-1 by default one transaction in ${currency} is at most ${minor}: ${because}`, () => {
    assert.equal(defaultTransactionMax({ currency, price: priceOf(currency) }), minor)
  })
}

const base = { currency: 'USD', price: priceOf('USD') }

test('LIM-1 LIM-3 the default day is ten transactions of the largest size', () => {
  assert.deepEqual(limitsOf(base), {
    transactionMax: 100_000_000n,
    currencyVolumeMax: 1_000_000_000n,
  })
  assert.deepEqual(limitsOf({ ...base, ofCurrency: { transactionMax: 5_000n } }), {
    transactionMax: 5_000n,
    currencyVolumeMax: 50_000n,
  })
})

test("LIM-1 a corridor narrows its currency's limit and never widens it", () => {
  const ofCurrency = { transactionMax: 5_000n, dailyVolumeMax: 8_000n }
  const narrow = limitsOf({ ...base, ofCurrency, ofCorridor: { transactionMax: 1_000n } })
  assert.deepEqual(narrow, { transactionMax: 1_000n, currencyVolumeMax: 8_000n })
  const wide = limitsOf({ ...base, ofCurrency, ofCorridor: { transactionMax: 9_000n } })
  assert.equal(wide.transactionMax, 5_000n)
  const volume = limitsOf({ ...base, ofCurrency, ofCorridor: { dailyVolumeMax: 3_000n } })
  assert.equal(volume.corridorVolumeMax, 3_000n)
})

const limits = { transactionMax: 5_000n, currencyVolumeMax: 8_000n }
const anything = { min: 1n, max: AMOUNT_MAX }

test('LIM-1 a transaction at the limit passes, one above it is refused with the limit', () => {
  assert.equal(sizeRefusal({ sending: usd(5_000n), limits, range: anything }), undefined)
  assert.deepEqual(sizeRefusal({ sending: usd(5_001n), limits, range: anything }), {
    ok: false,
    code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED',
    details: { limit: 5_000, currency: 'USD' },
  })
})

test("LIM-2 an amount outside the platform's range is refused, its bounds are inside", () => {
  const range = { min: 100n, max: 2_000n }
  for (const amount of [100n, 2_000n]) {
    assert.equal(sizeRefusal({ sending: usd(amount), limits, range }), undefined)
  }
  for (const amount of [99n, 2_001n]) {
    assert.deepEqual(sizeRefusal({ sending: usd(amount), limits, range }), {
      ok: false,
      code: 'AMOUNT_OUT_OF_RANGE',
      details: { minimum: 100, maximum: 2_000, currency: 'USD' },
    })
  }
})

test('LIM-2 beyond both bounds the transaction limit is reported', () => {
  const refusal = sizeRefusal({ sending: usd(9_000n), limits, range: { min: 1n, max: 10n } })
  assert.equal(refusal?.code, 'TRANSACTION_SIZE_LIMIT_EXCEEDED')
})

test('LIM-3 a day filled to the limit passes, beyond it is refused until midnight UTC', () => {
  const spent = { currency: 3_000n, corridor: 0n }
  assert.equal(volumeRefusal({ sending: usd(5_000n), spent, limits, now }), undefined)
  assert.deepEqual(volumeRefusal({ sending: usd(5_001n), spent, limits, now }), {
    ok: false,
    code: 'DAILY_VOLUME_LIMIT_EXCEEDED',
    details: { limit: 8_000, currency: 'USD' },
    headers: { 'Retry-After': '50400' },
  })
})

test("LIM-3 a corridor's own volume is counted by itself, where one is set", () => {
  const spent = { currency: 4_000n, corridor: 900n }
  const corridor = { ...limits, corridorVolumeMax: 1_000n }
  assert.equal(volumeRefusal({ sending: usd(100n), spent, limits: corridor, now }), undefined)
  const refusal = volumeRefusal({ sending: usd(101n), spent, limits: corridor, now })
  assert.deepEqual(refusal?.details, { limit: 1_000, currency: 'USD' })
  assert.equal(volumeRefusal({ sending: usd(101n), spent, limits, now }), undefined)
})

const MIDNIGHTS: readonly (readonly [instant: string, seconds: number, because: string])[] = [
  ['2026-03-01T00:00:00.000Z', 86_400, 'a new day has all its seconds before it'],
  ['2026-03-01T00:00:00.001Z', 86_400, 'a started second counts as whole'],
  ['2026-03-01T23:59:59.000Z', 1, 'the last second'],
  ['2026-03-01T23:59:59.999Z', 1, 'never zero: nobody is told to repeat at once'],
  ['2026-12-31T12:34:56.789Z', 41_104, 'the year does not matter'],
]

for (const [instant, seconds, because] of MIDNIGHTS) {
  test(`LIM-3 from ${instant} it is ${seconds} s to midnight: ${because}`, () => {
    assert.equal(secondsToMidnight(new Date(instant)), seconds)
  })
}
