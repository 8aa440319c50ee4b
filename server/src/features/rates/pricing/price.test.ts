import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import { displayRate } from '../prices/display-rate.ts'
import { midRate } from '../prices/mid-rate.ts'
import { price, sendingRange } from './price.ts'
import type { Fees, LockSide } from './price.ts'
import { SANDBOX_PRICES } from '../prices/sandbox-prices.ts'

function rateOf(sending: string, receiving: string) {
  const rate = midRate({ sending, receiving, prices: SANDBOX_PRICES })
  assert.ok(rate)
  return rate
}

/** The worked examples of section 4: fixed/bps of service and platform, then what must come out. */
const EXAMPLES = `
  pair      | locked      | service | platform | Vs   | Vp | fees | of it | net     | sending | receiving | exchangeRate
  USD→EUR   | S 100000    | 0/50    | 0/0      | 500  | 0  | 500  | 0     | 99500   | 100000  | 91540     | 1.086956522
  USD→EUR   | S 201       | 0/50    | 0/0      | 2    | 0  | 2    | 0     | 199     | 201     | 183       | 1.086956522
  USD→EUR   | S 3         | 0/50    | 0/0      | 1    | 0  | 1    | 0     | 2       | 3       | 1         | 1.086956522
  USD→EUR   | S 1         | 0/50    | 0/0      | refused
  USD→EUR   | R 92000     | 0/50    | 0/0      | 503  | 0  | 503  | 0     | 100000  | 100503  | 92000     | 1.086956522
  USD→EUR   | R 1         | 0/50    | 0/0      | 1    | 0  | 1    | 0     | 2       | 3       | 1         | 1.086956522
  USD→MXN   | S 100000    | 0/50    | 0/0      | 500  | 0  | 500  | 0     | 99500   | 100000  | 1716375   | 0.05797101449
  USD→BTC   | S 100       | 0/50    | 0/0      | 1    | 0  | 1    | 0     | 99      | 100     | 825       | 120000
  USD→BTC   | R 1000      | 0/50    | 0/0      | 1    | 0  | 1    | 0     | 120     | 121     | 1000      | 120000
  BTC→USD   | S 100000    | 0/50    | 0/0      | 500  | 0  | 500  | 0     | 99500   | 100000  | 11940     | 0.000008333333333
  BTC→USD   | S 9         | 0/50    | 0/0      | refused
  BTC→EUR   | R 5000      | 0/50    | 0/0      | 228  | 0  | 228  | 0     | 45290   | 45518   | 5000      | 0.000009057971014
  USD→EUR   | S 1000      | 0/100   | 50/30    | 10   | 3  | 63   | 53    | 937     | 1000    | 862       | 1.086956522
  USD→EUR   | R 862       | 0/100   | 50/30    | 10   | 3  | 63   | 53    | 937     | 1000    | 862       | 1.086956522
  USD→EUR   | S 54        | 0/100   | 50/30    | 1    | 1  | 52   | 51    | 2       | 54      | 1         | 1.086956522
  USD→JPY   | S 12345     | 0/50    | 0/0      | 62   | 0  | 62   | 0     | 12283   | 12345   | 18424     | 0.006666666667
  USD→USDC  | S 10000     | 1/50    | 0/0      | 50   | 0  | 51   | 0     | 9949    | 10000   | 99490000  | 1
  USDC→USD  | S 1234567   | 0/50    | 0/0      | 6173 | 0  | 6173 | 0     | 1228394 | 1234567 | 122       | 1
  USDC→USDC | R 1000000   | 750/0   | 0/0      | 0    | 0  | 750  | 0     | 1000000 | 1000750 | 1000000   | 1
  USD→USD   | S 12550     | 0/0     | 0/0      | 0    | 0  | 0    | 0     | 12550   | 12550   | 12550     | 1
`

const exampleRows = EXAMPLES.trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))

function feesFrom(service: string, platform: string): Fees {
  const [serviceFixed = '', serviceBps = ''] = service.split('/')
  const [platformFixed = '', platformBps = ''] = platform.split('/')
  return {
    fixed: { service: BigInt(serviceFixed), platform: BigInt(platformFixed) },
    bps: { service: BigInt(serviceBps), platform: BigInt(platformBps) },
  }
}

for (const [pair = '', locked = '', service = '', platform = '', ...expected] of exampleRows) {
  const title = `${pair} ${locked} with fees ${service} and ${platform}`
  test(`RATE-1 RATE-2 RATE-4 RATE-5 worked example: ${title}`, () => {
    const [sending = '', receiving = ''] = pair.split('→')
    const [side = '', amount = ''] = locked.split(' ')
    const rate = rateOf(sending, receiving)
    const fees = feesFrom(service, platform)
    const lockSide: LockSide = side === 'S' ? 'SENDING' : 'RECEIVING'
    const result = price({ ...fees, lock: { side: lockSide, amount: BigInt(amount) }, rate })
    if (expected[0] === 'refused') {
      return assert.deepEqual(result, { ok: false, code: 'AMOUNT_OUT_OF_RANGE' })
    }
    assert.ok(result.ok)
    const actual = [
      result.serviceVariableFee,
      result.platformFees - fees.fixed.platform,
      result.fees,
      result.platformFees,
      result.net,
      result.sending.amount,
      result.receiving.amount,
      displayRate(rate),
    ].map(String)
    assert.deepEqual(actual, expected.with(-1, String(Number(expected.at(-1)))))
    assert.equal(result.sending.currency, sending)
    assert.equal(result.receiving.currency, receiving)
    assert.equal(result.serviceFees, fees.fixed.service + result.serviceVariableFee)
  })
}

const USD_EUR = rateOf('USD', 'EUR')
const FREE: Fees = { fixed: { service: 0n, platform: 0n }, bps: { service: 0n, platform: 0n } }

type Refused = { because: string; side: LockSide; amount: bigint; fees?: Partial<Fees> }
const REFUSED: readonly Refused[] = [
  {
    because: 'the fixed fees are all of it',
    side: 'SENDING',
    amount: 50n,
    fees: { fixed: { service: 20n, platform: 30n } },
  },
  {
    because: 'the fixed fees are more than it',
    side: 'SENDING',
    amount: 5n,
    fees: { fixed: { service: 20n, platform: 0n } },
  },
  {
    because: 'the variable fees leave nothing',
    side: 'SENDING',
    amount: 2n,
    fees: { bps: { service: 1n, platform: 1n } },
  },
  { because: 'less than one unit arrives', side: 'SENDING', amount: 1n },
  {
    because: 'the rates take all of it',
    side: 'SENDING',
    amount: 100_000n,
    fees: { bps: { service: 5_000n, platform: 5_000n } },
  },
  {
    because: 'the rates take all of it',
    side: 'RECEIVING',
    amount: 100n,
    fees: { bps: { service: 0n, platform: 10_000n } },
  },
  { because: 'nothing is sent', side: 'SENDING', amount: 0n },
  { because: 'nothing is asked for', side: 'RECEIVING', amount: 0n },
  { because: 'the locked amount passes the maximum', side: 'SENDING', amount: AMOUNT_MAX + 1n },
  { because: 'the locked amount passes the maximum', side: 'RECEIVING', amount: AMOUNT_MAX + 1n },
  { because: 'the sending amount would pass the maximum', side: 'RECEIVING', amount: AMOUNT_MAX },
]

for (const { because, side, amount, fees } of REFUSED) {
  test(`RATE-5 ${side} ${amount} is refused: ${because}`, () => {
    const result = price({ ...FREE, ...fees, lock: { side, amount }, rate: USD_EUR })
    assert.deepEqual(result, { ok: false, code: 'AMOUNT_OUT_OF_RANGE' })
  })
}

test('RATE-5 a receiving amount that would pass the maximum is refused, one at the maximum is not', () => {
  const double = { ...USD_EUR, numerator: 2n, denominator: 1n }
  const half = AMOUNT_MAX / 2n
  const at = price({ ...FREE, lock: { side: 'SENDING', amount: half }, rate: double })
  assert.ok(at.ok && at.receiving.amount === AMOUNT_MAX)
  const beyond = price({ ...FREE, lock: { side: 'SENDING', amount: half + 1n }, rate: double })
  assert.equal(beyond.ok, false)
})

test('RATE-5 fixed fees alone may push a RECEIVING quote past the maximum', () => {
  const even = { ...USD_EUR, numerator: 1n, denominator: 1n }
  const fixed = { service: 1n, platform: 0n }
  const lock = { side: 'RECEIVING', amount: AMOUNT_MAX } as const
  assert.equal(price({ ...FREE, lock, rate: even }).ok, true)
  assert.equal(price({ ...FREE, fixed, lock, rate: even }).ok, false)
})

test('a negative fee is a bug, not a price', () => {
  const fixed = { service: -1n, platform: 0n }
  const lock = { side: 'SENDING', amount: 100n } as const
  assert.throws(() => price({ ...FREE, fixed, lock, rate: USD_EUR }), { name: 'InvariantError' })
})

const CODES = ['USD', 'EUR', 'JPY', 'MXN', 'VND', 'BTC', 'USDC', 'GBP', 'IDR']
const code = fc.constantFrom(...CODES)
const fee = fc.bigInt({ min: 0n, max: 5_000n })
const bps = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 4_999n }))
const fees = fc.record({
  fixed: fc.record({ service: fee, platform: fee }),
  bps: fc.record({ service: bps, platform: bps }),
})
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 20_000n }),
  fc.bigInt({ min: 1n, max: AMOUNT_MAX }),
)
const side = fc.constantFrom<LockSide>('SENDING', 'RECEIVING')
const runs = { numRuns: 500 }

/** net(S), straight from the formulas. */
function netOf(sending: bigint, { fixed, bps: rates }: Fees): bigint {
  const base = sending - fixed.service - fixed.platform
  const up = (rate: bigint) => (base * rate + 9_999n) / 10_000n
  return base - up(rates.service) - up(rates.platform)
}

test('RATE-1 the locked side equals the request', () => {
  fc.assert(
    fc.property(code, code, fees, side, amount, (from, to, charged, lockSide, locked) => {
      const result = price({
        ...charged,
        lock: { side: lockSide, amount: locked },
        rate: rateOf(from, to),
      })
      if (!result.ok) return
      const kept = lockSide === 'SENDING' ? result.sending : result.receiving
      assert.equal(kept.amount, locked)
    }),
    runs,
  )
})

test('RATE-2 every unit is accounted for: fees round up, the delivery down, by less than a unit each', () => {
  fc.assert(
    fc.property(code, code, fees, side, amount, (from, to, charged, lockSide, locked) => {
      const rate = rateOf(from, to)
      const result = price({ ...charged, lock: { side: lockSide, amount: locked }, rate })
      if (!result.ok) return
      const { sending, receiving, fees: all, serviceFees, platformFees, net } = result
      assert.equal(serviceFees + platformFees, all)
      assert.equal(sending.amount, all + net)
      assert.equal(net, netOf(sending.amount, charged))
      const base = sending.amount - charged.fixed.service - charged.fixed.platform
      const platformVariable = (platformFees - charged.fixed.platform) * 10_000n
      assert.ok(platformVariable >= base * charged.bps.platform)
      assert.ok(platformVariable < base * charged.bps.platform + 10_000n)
      const serviceVariable = (serviceFees - charged.fixed.service) * 10_000n
      assert.ok(serviceVariable >= base * charged.bps.service)
      assert.ok(serviceVariable < base * charged.bps.service + 10_000n)
      assert.ok(receiving.amount * rate.denominator <= (sending.amount - all) * rate.numerator)
    }),
    runs,
  )
})

test('RATE-1 a SENDING quote delivers all that the net buys: one unit more would be too much', () => {
  fc.assert(
    fc.property(code, code, fees, amount, (from, to, charged, locked) => {
      const rate = rateOf(from, to)
      const result = price({ ...charged, lock: { side: 'SENDING', amount: locked }, rate })
      if (!result.ok) return
      const oneMore = (result.receiving.amount + 1n) * rate.denominator
      assert.ok(oneMore > result.net * rate.numerator)
    }),
    runs,
  )
})

test('RATE-3 a RECEIVING quote asks for the least that delivers its amount', () => {
  const small = fc.bigInt({ min: 1n, max: 3_000n })
  const narrow = fc.record({
    fixed: fc.record({ service: fc.constantFrom(0n, 7n), platform: fc.constantFrom(0n, 50n) }),
    bps: fc.record({ service: bps, platform: bps }),
  })
  const near = fc.constantFrom('USD', 'EUR', 'GBP')
  fc.assert(
    fc.property(near, near, narrow, small, (from, to, charged, locked) => {
      const rate = rateOf(from, to)
      const lock = { side: 'RECEIVING', amount: locked } as const
      const result = price({ ...charged, lock, rate })
      if (!result.ok) return
      const need = (locked * rate.denominator + rate.numerator - 1n) / rate.numerator
      assert.equal(result.net, need)
      const fixed = charged.fixed.service + charged.fixed.platform
      const from0 = result.sending.amount - 2_000n
      for (
        let less = from0 > fixed ? from0 : fixed + 1n;
        less < result.sending.amount;
        less += 1n
      ) {
        assert.ok(netOf(less, charged) < need, `${less} would do`)
      }
    }),
    { numRuns: 150 },
  )
})

test('RATE-3 locking what a SENDING quote delivers asks for no more than it sent', () => {
  fc.assert(
    fc.property(code, code, fees, amount, (from, to, charged, locked) => {
      const rate = rateOf(from, to)
      const there = price({ ...charged, lock: { side: 'SENDING', amount: locked }, rate })
      if (!there.ok) return
      const lock = { side: 'RECEIVING', amount: there.receiving.amount } as const
      const again = price({ ...charged, lock, rate })
      assert.ok(again.ok && again.sending.amount <= locked)
    }),
    runs,
  )
})

test('RATE-3 sending what a RECEIVING quote asks delivers at least its amount', () => {
  fc.assert(
    fc.property(code, code, fees, amount, (from, to, charged, locked) => {
      const rate = rateOf(from, to)
      const asked = price({ ...charged, lock: { side: 'RECEIVING', amount: locked }, rate })
      if (!asked.ok) return
      const lock = { side: 'SENDING', amount: asked.sending.amount } as const
      const sent = price({ ...charged, lock, rate })
      // Refused only where the surplus itself passes the largest amount.
      if (sent.ok) assert.ok(sent.receiving.amount >= locked)
      else assert.ok(asked.net * rate.numerator > AMOUNT_MAX * rate.denominator)
    }),
    runs,
  )
})

test('RATE-3 a conversion there and back never gains, whichever sides are locked', () => {
  fc.assert(
    fc.property(code, code, fees, side, amount, (from, to, charged, lockSide, locked) => {
      const there = price({
        ...charged,
        lock: { side: lockSide, amount: locked },
        rate: rateOf(from, to),
      })
      if (!there.ok) return
      const lock = { side: 'SENDING', amount: there.receiving.amount } as const
      const back = price({ ...FREE, lock, rate: rateOf(to, from) })
      if (back.ok) assert.ok(back.receiving.amount <= there.sending.amount)
    }),
    runs,
  )
})

const ALL = { min: 1n, max: AMOUNT_MAX }

/** Pair, fees of service and platform, bounds, and the least and greatest amount that is taken within them. */
const RANGES: readonly (readonly [string, string, string, typeof ALL, unknown, string])[] = [
  ['USD→EUR', '0/50', '0/0', ALL, [3n, AMOUNT_MAX], '1 and 2 deliver nothing'],
  ['USD→USD', '0/0', '0/0', ALL, [1n, AMOUNT_MAX], 'everything arrives'],
  ['USD→EUR', '0/50', '0/0', { min: 100n, max: 5_000n }, [100n, 5_000n], 'the bounds are narrower'],
  ['USD→EUR', '0/50', '0/0', { min: 1n, max: 2n }, undefined, 'nothing arrives within them'],
  ['USD→EUR', '7/50', '50/30', ALL, [61n, AMOUNT_MAX], 'fixed fees come first'],
  ['USD→EUR', '0/5000', '0/5000', ALL, undefined, 'the fees take all'],
  ['USD→EUR', `${AMOUNT_MAX}/0`, '0/0', ALL, undefined, 'the fixed fee is all there can be'],
  ['USD→USDC', '0/0', '0/0', ALL, [1n, AMOUNT_MAX / 10_000n], 'what arrives is an amount too'],
]

for (const [pair, service, platform, within, expected, because] of RANGES) {
  test(`RATE-5 RATE-9 the range of ${pair} with fees ${service} and ${platform}: ${because}`, () => {
    const [sending = '', receiving = ''] = pair.split('→')
    const rate = rateOf(sending, receiving)
    const range = sendingRange({ ...feesFrom(service, platform), rate }, within)
    assert.deepEqual(range && [range.min, range.max], expected)
  })
}

test('RATE-9 one less or one more than the range is refused, both its ends are taken', () => {
  const bps = fc.record({
    service: fc.bigInt({ min: 0n, max: 4_999n }),
    platform: fc.bigInt({ min: 0n, max: 4_999n }),
  })
  const fixed = fc.record({
    service: fc.bigInt({ min: 0n, max: 60n }),
    platform: fc.bigInt({ min: 0n, max: 60n }),
  })
  const bounds = fc.record({
    min: fc.bigInt({ min: 1n, max: 200n }),
    max: fc.oneof(fc.bigInt({ min: 1n, max: 400n }), fc.constant(AMOUNT_MAX)),
  })
  const pairs = fc.constantFrom('USD EUR', 'USD USDC', 'BTC USD', 'JPY USD', 'USDC USDC')
  fc.assert(
    fc.property(pairs, bps, fixed, bounds, (pair, variable, flat, within) => {
      const [sending = '', receiving = ''] = pair.split(' ')
      const fees = { fixed: flat, bps: variable, rate: rateOf(sending, receiving) }
      const isTaken = (amount: bigint): boolean =>
        amount >= within.min &&
        amount <= within.max &&
        price({ ...fees, lock: { side: 'SENDING', amount } }).ok
      const range = sendingRange(fees, within)
      // Nothing below the least: looked at one by one as far as that goes.
      const least = range?.min ?? (within.max < 400n ? within.max + 1n : 400n)
      for (let amount = 1n; amount < least && amount < 3_000n; amount += 1n) {
        assert.ok(!isTaken(amount), `${amount} is below ${range?.min}`)
      }
      if (!range) return
      assert.ok(isTaken(range.min) && isTaken(range.max))
      for (let more = 1n; more <= 500n; more += 1n) assert.ok(!isTaken(range.max + more))
    }),
  )
})
