import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { InvariantError } from './invariant.ts'
import {
  AMOUNT_MAX,
  INT64_MAX,
  INT64_MIN,
  add,
  compare,
  isEqual,
  isNegative,
  isPositive,
  isZero,
  larger,
  money,
  negate,
  smaller,
  subtract,
  sum,
  zero,
} from './money.ts'
import type { Money } from './money.ts'

const usd = (amount: bigint): Money => money(amount, 'USD')
const eur = (amount: bigint): Money => money(amount, 'EUR')

/** Zero, negative and maximum are tried on purpose, everything between at random. */
const amounts = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, AMOUNT_MAX, -AMOUNT_MAX),
  fc.bigInt({ min: -AMOUNT_MAX, max: AMOUNT_MAX }),
)

describe('sums and differences', () => {
  const ROWS = [
    { left: 0n, right: 0n, added: 0n, subtracted: 0n, why: 'nothing and nothing' },
    { left: 5n, right: 3n, added: 8n, subtracted: 2n, why: 'plain' },
    { left: 3n, right: 5n, added: 8n, subtracted: -2n, why: 'below zero is allowed inside' },
    { left: -3n, right: -5n, added: -8n, subtracted: 2n, why: 'both negative' },
    {
      left: AMOUNT_MAX,
      right: AMOUNT_MAX,
      added: 18_000_000_000_000_000n,
      subtracted: 0n,
      why: 'twice the largest amount, past what a float holds exactly',
    },
    {
      left: AMOUNT_MAX,
      right: 1n,
      added: 9_000_000_000_000_001n,
      subtracted: 8_999_999_999_999_999n,
      why: 'exact to the unit at the top',
    },
  ]
  for (const { left, right, added, subtracted, why } of ROWS) {
    test(`CORE-6 ${left} and ${right}: ${why}`, () => {
      assert.deepEqual(add(usd(left), usd(right)), usd(added))
      assert.deepEqual(subtract(usd(left), usd(right)), usd(subtracted))
    })
  }

  test('CORE-6 subtracting what was added gives back the first amount', () => {
    fc.assert(
      fc.property(amounts, amounts, (left, right) => {
        assert.deepEqual(subtract(add(usd(left), usd(right)), usd(right)), usd(left))
      }),
    )
  })

  test('CORE-6 the order of a sum does not matter, and the empty sum is zero', () => {
    assert.deepEqual(sum('USD', []), zero('USD'))
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 20 }), (list) => {
        const forwards = sum('USD', list.map(usd))
        assert.deepEqual(forwards, sum('USD', list.toReversed().map(usd)))
        assert.equal(
          forwards.amount,
          list.reduce((left, right) => left + right, 0n),
        )
      }),
    )
  })

  test('CORE-6 negating twice changes nothing', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        assert.deepEqual(negate(negate(usd(amount))), usd(amount))
        assert.ok(isZero(add(usd(amount), negate(usd(amount)))))
      }),
    )
  })
})

describe('comparisons', () => {
  test('CORE-6 agree with the amounts', () => {
    fc.assert(
      fc.property(amounts, amounts, (left, right) => {
        const order = left < right ? -1 : left > right ? 1 : 0
        assert.equal(compare(usd(left), usd(right)), order)
        assert.equal(isEqual(usd(left), usd(right)), order === 0)
        assert.equal(smaller(usd(left), usd(right)).amount, order <= 0 ? left : right)
        assert.equal(larger(usd(left), usd(right)).amount, order >= 0 ? left : right)
      }),
    )
  })

  const SIGNS = [
    { amount: -1n, negative: true, nothing: false, positive: false },
    { amount: 0n, negative: false, nothing: true, positive: false },
    { amount: 1n, negative: false, nothing: false, positive: true },
  ]
  for (const { amount, negative, nothing, positive } of SIGNS) {
    test(`CORE-6 the sign of ${amount}`, () => {
      assert.equal(isNegative(usd(amount)), negative)
      assert.equal(isZero(usd(amount)), nothing)
      assert.equal(isPositive(usd(amount)), positive)
    })
  }

  test('CORE-6 equal numbers of different currencies are not equal', () => {
    assert.equal(isEqual(usd(1n), eur(1n)), false)
  })
})

describe('what is a bug', () => {
  const MIXED = [
    { name: 'add', action: () => add(usd(1n), eur(1n)) },
    { name: 'subtract', action: () => subtract(usd(1n), eur(1n)) },
    { name: 'compare', action: () => compare(usd(1n), eur(1n)) },
    { name: 'smaller', action: () => smaller(usd(1n), eur(1n)) },
    { name: 'larger', action: () => larger(usd(1n), eur(1n)) },
    { name: 'sum', action: () => sum('USD', [usd(1n), eur(0n)]) },
  ]
  for (const { name, action } of MIXED) {
    test(`CORE-6 ${name} does not mix currencies, not even with zero`, () => {
      assert.throws(action, InvariantError)
    })
  }

  const OVERFLOWS = [
    { name: 'add', action: () => add(usd(INT64_MAX), usd(1n)) },
    { name: 'subtract', action: () => subtract(usd(INT64_MIN), usd(1n)) },
    { name: 'negate', action: () => negate(usd(INT64_MIN)) },
    { name: 'money', action: () => money(INT64_MAX + 1n, 'USD') },
  ]
  for (const { name, action } of OVERFLOWS) {
    test(`CORE-6 ${name} does not leave 64 bits`, () => {
      assert.throws(action, InvariantError)
    })
  }

  test('CORE-6 both ends of 64 bits are amounts', () => {
    assert.equal(usd(INT64_MAX).amount, 9_223_372_036_854_775_807n)
    assert.equal(usd(INT64_MIN).amount, -9_223_372_036_854_775_808n)
  })
})
