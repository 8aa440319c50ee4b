import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { InvariantError } from './invariant.ts'
import { AMOUNT_MAX, money, sum } from './money.ts'
import { allocate, convert, divide, invert, makeRate, multiply } from './rate.ts'
import type { Rate, Rounding } from './rate.ts'

const ROUNDINGS: readonly Rounding[] = ['down', 'up', 'half-even', 'half-up']

const usdToEur = makeRate({ from: 'USD', to: 'EUR', numerator: 92n, denominator: 100n })
const eurToMxn = makeRate({ from: 'EUR', to: 'MXN', numerator: 1725n, denominator: 92n })

const amounts = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, AMOUNT_MAX, -AMOUNT_MAX),
  fc.bigInt({ min: -AMOUNT_MAX, max: AMOUNT_MAX }),
)
/** Bounded so that the largest amount still fits into 64 bits after conversion. */
const rates = fc
  .record({
    numerator: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    denominator: fc.bigInt({ min: 10n ** 9n, max: 10n ** 18n }),
  })
  .map((quotient): Rate => makeRate({ from: 'USD', to: 'EUR', ...quotient }))

describe('rounding', () => {
  const ROWS: readonly (readonly [bigint, bigint, bigint, bigint, bigint, bigint, string])[] = [
    // numerator, denominator, down, up, half-even, half-up
    [0n, 3n, 0n, 0n, 0n, 0n, 'zero stays zero'],
    [6n, 3n, 2n, 2n, 2n, 2n, 'exact quotients are not rounded'],
    [-6n, 3n, -2n, -2n, -2n, -2n, 'exact and negative'],
    [1n, 3n, 0n, 1n, 0n, 0n, 'below half'],
    [2n, 3n, 0n, 1n, 1n, 1n, 'above half'],
    [1n, 2n, 0n, 1n, 0n, 1n, 'a tie after an even number'],
    [3n, 2n, 1n, 2n, 2n, 2n, 'a tie after an odd number'],
    [5n, 2n, 2n, 3n, 2n, 3n, 'a tie after an even number again'],
    [-1n, 3n, 0n, -1n, 0n, 0n, 'negative, below half'],
    [-1n, 2n, 0n, -1n, 0n, -1n, 'a negative tie mirrors the positive one'],
    [-3n, 2n, -1n, -2n, -2n, -2n, 'a negative tie after an odd number'],
    [
      AMOUNT_MAX * 2n + 1n,
      2n,
      AMOUNT_MAX,
      AMOUNT_MAX + 1n,
      AMOUNT_MAX,
      AMOUNT_MAX + 1n,
      'a tie at the largest amount, which a float cannot hold',
    ],
  ]
  for (const [numerator, denominator, down, up, halfEven, halfUp, why] of ROWS) {
    test(`CORE-6 ${numerator}/${denominator}: ${why}`, () => {
      const actual = ROUNDINGS.map((rounding) => divide({ numerator, denominator }, rounding))
      assert.deepEqual(actual, [down, up, halfEven, halfUp])
    })
  }

  test('CORE-6 every rounding is within one unit, symmetric, and between down and up', () => {
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 1n, max: 10n ** 12n }), (numerator, denominator) => {
        const down = divide({ numerator, denominator }, 'down')
        const up = divide({ numerator, denominator }, 'up')
        assert.equal(down, numerator / denominator)
        for (const rounding of ROUNDINGS) {
          const rounded = divide({ numerator, denominator }, rounding)
          assert.ok(rounded === down || rounded === up)
          const distance = rounded * denominator - numerator
          assert.ok(distance < denominator && -distance < denominator)
          assert.equal(divide({ numerator: -numerator, denominator }, rounding), -rounded)
        }
      }),
    )
  })

  test('CORE-6 a denominator of zero or below is a bug', () => {
    for (const denominator of [0n, -1n]) {
      assert.throws(() => divide({ numerator: 1n, denominator }, 'down'), InvariantError)
    }
  })
})

describe('conversion', () => {
  const ROWS: readonly (readonly [bigint, Rounding, bigint, string])[] = [
    [0n, 'up', 0n, 'zero converts to zero'],
    [1n, 'down', 0n, '0.92 cent delivers nothing'],
    [1n, 'up', 1n, '0.92 cent costs one'],
    [10_000n, 'down', 9_200n, 'exact'],
    [995n, 'down', 915n, 'deliveries round down'],
    [995n, 'up', 916n, 'fees round up'],
    [-995n, 'down', -915n, 'the mirror image'],
    [AMOUNT_MAX, 'half-even', 8_280_000_000_000_000n, 'the largest amount, exact'],
  ]
  for (const [amount, rounding, expected, why] of ROWS) {
    test(`RATE-1 ${amount} at 0.92 rounded ${rounding} is ${expected}: ${why}`, () => {
      assert.deepEqual(convert(money(amount, 'USD'), usdToEur, rounding), money(expected, 'EUR'))
    })
  }

  test('RATE-3 there and back never gains when both ways round down', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: AMOUNT_MAX }), rates, (amount, rate) => {
        const there = convert(money(amount, 'USD'), rate, 'down')
        assert.ok(convert(there, invert(rate), 'down').amount <= amount)
      }),
    )
  })

  test('RATE-3 what is asked for a delivery, rounded up, delivers at least that', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 6n }), rates, (received, rate) => {
        const back = { numerator: received * rate.denominator, denominator: rate.numerator }
        const asked = divide(back, 'up')
        const delivered = divide(
          { numerator: asked * rate.numerator, denominator: rate.denominator },
          'down',
        )
        assert.ok(delivered >= received)
      }),
    )
  })

  test('RATE-1 rates multiply through the currency they share and invert exactly', () => {
    const usdToMxn = multiply(usdToEur, eurToMxn)
    assert.deepEqual(usdToMxn, { from: 'USD', to: 'MXN', numerator: 69n, denominator: 4n })
    assert.deepEqual(invert(usdToMxn), { from: 'MXN', to: 'USD', numerator: 4n, denominator: 69n })
    fc.assert(
      fc.property(rates, (rate) => {
        assert.deepEqual(invert(invert(rate)), rate)
        const { numerator, denominator } = multiply(rate, invert(rate))
        assert.deepEqual([numerator, denominator], [1n, 1n])
      }),
    )
  })

  test('CORE-6 currencies that do not meet are a bug', () => {
    assert.throws(() => convert(money(1n, 'EUR'), usdToEur, 'down'), InvariantError)
    assert.throws(() => multiply(usdToEur, usdToEur), InvariantError)
  })

  test('CORE-6 a rate of zero, a negative one and one over zero are bugs', () => {
    for (const [numerator, denominator] of [
      [0n, 1n],
      [-1n, 1n],
      [1n, 0n],
      [1n, -1n],
    ] as const) {
      const build = () => makeRate({ from: 'USD', to: 'EUR', numerator, denominator })
      assert.throws(build, InvariantError)
    }
  })

  test('CORE-6 a conversion that leaves 64 bits is a bug, not a wrapped amount', () => {
    const huge = makeRate({ from: 'USD', to: 'BTC', numerator: 10n ** 6n, denominator: 1n })
    assert.throws(() => convert(money(AMOUNT_MAX, 'USD'), huge, 'down'), InvariantError)
  })
})

describe('allocation', () => {
  const ROWS: readonly (readonly [bigint, readonly bigint[], readonly bigint[], string])[] = [
    [100n, [1n, 1n], [50n, 50n], 'even'],
    [100n, [1n, 1n, 1n], [34n, 33n, 33n], 'the first part takes the odd unit'],
    [101n, [1n, 1n, 1n], [34n, 34n, 33n], 'two odd units'],
    [-100n, [1n, 1n, 1n], [-34n, -33n, -33n], 'the mirror image'],
    [1n, [0n, 1n], [0n, 1n], 'no weight, no part'],
    [5n, [0n, 3n, 0n, 7n], [0n, 2n, 0n, 3n], 'odd units skip what has no weight'],
    [0n, [1n, 2n], [0n, 0n], 'zero'],
    [AMOUNT_MAX, [1n, 2n], [3_000_000_000_000_000n, 6_000_000_000_000_000n], 'the largest amount'],
    [7n, [1n], [7n], 'a single part'],
  ]
  for (const [amount, weights, expected, why] of ROWS) {
    test(`CORE-6 ${amount} by ${weights.join(':')} is ${expected.join(', ')}: ${why}`, () => {
      const parts = allocate(money(amount, 'USD'), weights)
      assert.deepEqual(
        parts,
        expected.map((part) => money(part, 'USD')),
      )
    })
  }

  const weightLists = fc
    .array(fc.bigInt({ min: 0n, max: 10n ** 6n }), { minLength: 1, maxLength: 12 })
    .filter((weights) => weights.some((weight) => weight > 0n))

  test('CORE-6 the parts always sum to the whole and none is off by more than a unit', () => {
    fc.assert(
      fc.property(amounts, weightLists, (amount, weights) => {
        const parts = allocate(money(amount, 'USD'), weights)
        assert.equal(sum('USD', parts).amount, amount)
        const total = weights.reduce((left, right) => left + right, 0n)
        parts.forEach((part, index) => {
          const off = part.amount * total - amount * weights[index]!
          assert.ok(off <= total && -off <= total)
        })
      }),
    )
  })

  for (const weights of [[], [0n], [1n, -1n], [2n, -1n]]) {
    test(`CORE-6 weights ${JSON.stringify(weights.map(String))} are a bug`, () => {
      assert.throws(() => allocate(money(1n, 'USD'), weights), InvariantError)
    })
  }
})
