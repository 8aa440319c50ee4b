import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ceilOf,
  floorOf,
  fraction,
  invert,
  multiply,
  parseFraction,
  ratio,
  toSignificantDigits,
} from './fraction.ts'
import { decimalToWire } from './wire-decimal.ts'

const over = (numerator: bigint, denominator: bigint) => fraction({ numerator, denominator })

test('a decimal or a quotient is read exactly, in lowest terms', () => {
  assert.deepEqual(parseFraction('0.92'), { numerator: 23n, denominator: 25n })
  assert.deepEqual(parseFraction('3.6725'), { numerator: 1469n, denominator: 400n })
  assert.deepEqual(parseFraction('1/120000'), { numerator: 1n, denominator: 120_000n })
  assert.deepEqual(parseFraction('0'), { numerator: 0n, denominator: 1n })
  for (const text of ['', '1.', '.5', '-1', '1e3', '1/0', '1,5']) {
    assert.throws(() => parseFraction(text), { name: 'InvariantError' }, text)
  }
})

test('floor goes down, ceil goes up, and both leave whole numbers alone', () => {
  assert.equal(floorOf(over(7n, 2n)), 3n)
  assert.equal(ceilOf(over(7n, 2n)), 4n)
  assert.equal(floorOf(over(6n, 2n)), 3n)
  assert.equal(ceilOf(over(6n, 2n)), 3n)
  assert.equal(ceilOf(over(0n, 5n)), 0n)
})

test('ratio is the product with the inverse', () => {
  const half = over(1n, 2n)
  const third = over(1n, 3n)
  assert.deepEqual(ratio({ of: half, to: third }), over(3n, 2n))
  assert.deepEqual(multiply(third, invert(third)), over(1n, 1n))
  assert.throws(() => invert(over(0n, 1n)))
})

const DIGITS: readonly (readonly [value: string, text: string, because: string])[] = [
  ['100/92', '1.086956522', 'the eleventh digit is a 7'],
  ['1/3', '0.3333333333', 'leading zeros are not significant'],
  ['2/3', '0.6666666667', 'up at the end'],
  ['1/120000', '0.000008333333333', 'ten digits after the zeros'],
  ['1/1000', '0.001', 'a power of ten keeps no zeros'],
  ['999/1000', '0.999', 'just below one'],
  ['120000', '120000', 'a whole number has no point'],
  ['12345678901', '12345678900', 'beyond ten digits the rest becomes zeros'],
  ['12345678905', '12345678910', 'half goes up'],
  ['0.99999999999', '1', 'rounding may carry into a new digit'],
  ['99999999995', '100000000000', 'also in front of the point'],
  ['0.12345678905', '0.1234567891', 'half goes up behind the point'],
  ['0', '0', 'zero'],
]

for (const [value, text, because] of DIGITS) {
  test(`RATE-4 ${value} to ten significant digits is ${text}: ${because}`, () => {
    assert.equal(toSignificantDigits(parseFraction(value), 10), text)
  })
}

test('RATE-4 ten significant digits are within half a unit of the tenth', () => {
  const part = fc.bigInt({ min: 1n, max: 10n ** 24n })
  fc.assert(
    fc.property(part, part, (numerator, denominator) => {
      const exact = over(numerator, denominator)
      const rounded = parseFraction(toSignificantDigits(exact, 10))
      const left = rounded.numerator * exact.denominator
      const right = exact.numerator * rounded.denominator
      const distance = left > right ? left - right : right - left
      assert.ok(distance * 2n * 10n ** 9n <= right)
    }),
  )
})

test('a plain decimal crosses to the wire as the nearest number, nothing else does', () => {
  assert.equal(decimalToWire('0.000009057971014'), 0.000009057971014)
  assert.equal(decimalToWire('120000'), 120000)
  for (const text of ['', '1e3', 'NaN', '-1', 'Infinity', '1.']) {
    assert.throws(() => decimalToWire(text), { name: 'InvariantError' }, text)
  }
})
