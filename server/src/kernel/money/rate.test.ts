import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { InvariantError } from '../invariant.ts'
import { AMOUNT_MAX, money } from './money.ts'
import { convert, divide, invert, makeRate } from './rate.ts'
import type { Rate, Rounding } from './rate.ts'

const ROUNDINGS: readonly Rounding[] = ['down', 'up', 'half-even', 'half-up']

const usdToEur = makeRate({ from: 'USD', to: 'EUR', numerator: 92n, denominator: 100n })

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

  test('RATE-1 rates invert exactly', () => {
    assert.deepEqual(invert(usdToEur), { from: 'EUR', to: 'USD', numerator: 25n, denominator: 23n })
    fc.assert(fc.property(rates, (rate) => assert.deepEqual(invert(invert(rate)), rate)))
  })

  test('CORE-6 currencies that do not meet are a bug', () => {
    assert.throws(() => convert(money(1n, 'EUR'), usdToEur, 'down'), InvariantError)
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
