import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { CURRENCIES } from './currency.ts'
import { InvariantError } from '../invariant.ts'
import { AMOUNT_MAX, money } from './money.ts'
import {
  amountFromText,
  amountFromWire,
  amountToWire,
  currencyToWire,
  moneyToWire,
} from './wire-money.ts'

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER)

const exactAmounts = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, AMOUNT_MAX, -AMOUNT_MAX, SAFE_MAX, -SAFE_MAX),
  fc.bigInt({ min: -SAFE_MAX, max: SAFE_MAX }),
)

describe('amounts of an answer', () => {
  test('CORE-6 cross the wire and back unchanged, negatives and zero included', () => {
    fc.assert(
      fc.property(exactAmounts, (amount) => {
        const text = JSON.stringify(amountToWire(amount))
        assert.equal(amountFromWire(JSON.parse(text) as number), amount)
      }),
    )
  })

  for (const amount of [SAFE_MAX + 1n, -SAFE_MAX - 1n, 2n ** 63n - 1n, 10n ** 400n]) {
    test(`ERR-4 ${amount.toString().slice(0, 24)} cannot leave as a rounded number`, () => {
      assert.throws(() => amountToWire(amount), InvariantError)
    })
  }

  for (const value of [1.5, NaN, Infinity, 2 ** 53]) {
    test(`ERR-4 ${value} cannot enter past validation`, () => {
      assert.throws(() => amountFromWire(value), InvariantError)
    })
  }

  test('CORE-6 a money object is an integer amount and the whole currency object', () => {
    assert.deepEqual(moneyToWire(money(12_345n, 'EUR')), {
      amount: 12_345,
      currency: { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 },
    })
  })

  test('CORE-6 a currency object has exactly code, name, symbol and decimals', () => {
    for (const { code } of CURRENCIES) {
      assert.deepEqual(Object.keys(currencyToWire(code)), ['code', 'name', 'symbol', 'decimals'])
    }
    assert.throws(() => currencyToWire('XXX'), InvariantError)
  })
})

describe('amounts as text', () => {
  const ROWS = [
    { text: '0', amount: 0n, why: 'zero is a number; whether it may be used is another rule' },
    { text: '10000', amount: 10_000n, why: 'plain' },
    { text: '0010000', amount: 10_000n, why: 'leading zeros add nothing' },
    { text: '9223372036854775808', amount: 2n ** 63n, why: 'of any size, exactly' },
    { text: '', amount: undefined, why: 'empty' },
    { text: '-1', amount: undefined, why: 'a sign' },
    { text: '+1', amount: undefined, why: 'a sign' },
    { text: '1.0', amount: undefined, why: 'a point' },
    { text: '1e3', amount: undefined, why: 'an exponent' },
    { text: '0x10', amount: undefined, why: 'hexadecimal, which BigInt would read' },
    { text: ' 1', amount: undefined, why: 'a space, which BigInt would skip' },
    { text: '1\n', amount: undefined, why: 'a line break' },
    { text: '١٢', amount: undefined, why: 'digits of another script' },
  ]
  for (const { text, amount, why } of ROWS) {
    test(`STBL-10 ${JSON.stringify(text)} is ${amount ?? 'no amount'}: ${why}`, () => {
      assert.equal(amountFromText(text), amount)
    })
  }
})
