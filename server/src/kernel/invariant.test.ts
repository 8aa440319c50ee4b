import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './errors.ts'
import { InvariantError, invariant, unreachable } from './invariant.ts'

for (const condition of [false, 0, 0n, '', null, undefined, NaN]) {
  test(`a broken invariant throws its sentence: ${String(condition)} (${typeof condition})`, () => {
    assert.throws(() => invariant(condition, 'The sky is blue.'), {
      name: 'InvariantError',
      message: 'The sky is blue.',
    })
  })
}

test('a kept invariant does nothing', () => {
  for (const condition of [true, 1, 1n, 'x', {}, []]) invariant(condition, 'Never thrown.')
})

test('CORE-30 a bug is no refusal: it can never be answered as a caller’s mistake', () => {
  assert.ok(!(new InvariantError('x') instanceof ApiError))
})

test('what no branch handles is reported', () => {
  assert.throws(() => unreachable('GONE' as never), { message: 'No branch handles "GONE".' })
})
