import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { CURRENCIES } from './currency.ts'
import { InvariantError } from './invariant.ts'
import { AMOUNT_MAX, money } from './money.ts'
import {
  amountFromText,
  amountFromWire,
  amountToWire,
  currencyToWire,
  moneyToWire,
  parseAmount,
} from './wire-money.ts'

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER)

const exactAmounts = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, AMOUNT_MAX, -AMOUNT_MAX, SAFE_MAX, -SAFE_MAX),
  fc.bigInt({ min: -SAFE_MAX, max: SAFE_MAX }),
)

describe('amounts of a request', () => {
  const ACCEPTED = [
    { value: 1, amount: 1n, why: 'the smallest' },
    { value: 10_000, amount: 10_000n, why: 'plain' },
    { value: 1e3, amount: 1_000n, why: 'JSON 1e3 is the integer 1000' },
    { value: 9_000_000_000_000_000, amount: AMOUNT_MAX, why: 'the largest' },
  ]
  for (const { value, amount, why } of ACCEPTED) {
    test(`CORE-6 ${value} is accepted: ${why}`, () => {
      assert.equal(parseAmount(value), amount)
      assert.equal(amountFromWire(value), amount)
    })
  }

  const REFUSED: readonly { rule: string; value: unknown; why: string }[] = [
    { rule: 'CORE-6', value: 0, why: 'zero' },
    { rule: 'CORE-6', value: -0, why: 'negative zero' },
    { rule: 'CORE-6', value: -1, why: 'negative' },
    { rule: 'CORE-6', value: 1.5, why: 'a float' },
    { rule: 'CORE-6', value: 0.1 + 0.2, why: 'a float that is none' },
    { rule: 'CORE-6', value: NaN, why: 'not a number' },
    { rule: 'CORE-6', value: 9_000_000_000_000_001, why: 'one beyond the largest' },
    { rule: 'ERR-4', value: 9_007_199_254_740_992, why: 'beyond what JSON holds exactly' },
    { rule: 'ERR-4', value: JSON.parse('1e400'), why: 'overflows to infinity' },
    { rule: 'ERR-4', value: JSON.parse('-1e400'), why: 'overflows to minus infinity' },
    { rule: 'ERR-4', value: true, why: 'a boolean' },
    { rule: 'ERR-4', value: '100', why: 'a numeric string' },
    { rule: 'ERR-4', value: '', why: 'an empty string' },
    { rule: 'ERR-4', value: null, why: 'null' },
    { rule: 'ERR-4', value: undefined, why: 'absent' },
    { rule: 'ERR-4', value: [100], why: 'an array that would turn into a number' },
    { rule: 'ERR-4', value: { valueOf: () => 100 }, why: 'an object that would' },
    { rule: 'ERR-4', value: 100n, why: 'JSON has no bigint' },
  ]
  for (const { rule, value, why } of REFUSED) {
    test(`${rule} ${String(value)} (${typeof value}) is no amount: ${why}`, () => {
      assert.equal(parseAmount(value), undefined)
    })
  }

  test('ERR-4 an amount is never a rounded value', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const amount = parseAmount(value)
        if (amount !== undefined) assert.equal(amount.toString(), value.toString())
        else assert.ok(!Number.isInteger(value) || value < 1 || value > 9e15)
      }),
    )
  })

  test('CORE-6 every amount in range is accepted as it is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: AMOUNT_MAX }), (amount) => {
        assert.equal(parseAmount(amountToWire(amount)), amount)
      }),
    )
  })
})

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
