import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from './gather.ts'

/** A look-up whose answers wait until they are let go. */
function heldLookUp() {
  const calls: { keys: readonly number[]; answer: () => void; fail: () => void }[] = []
  const lookUp = (keys: readonly number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      const answer = () => resolve(keys.map((key) => key * 10))
      calls.push({ keys, answer, fail: () => reject(new RangeError('look-up')) })
    })
  return { find: gather(lookUp), calls }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('keys of one turn are looked up together, each with its own answer', async () => {
  const { find, calls } = heldLookUp()
  const found = Promise.all([1, 2, 3].map(find))
  await nextTurn()
  assert.deepEqual(
    calls.map(({ keys }) => keys),
    [[1, 2, 3]],
  )
  calls[0]?.answer()
  assert.deepEqual(await found, [10, 20, 30])
})

test('keys that come while two look-ups are under way go together in the next, whichever of the two ends', async () => {
  const { find, calls } = heldLookUp()
  const found: Promise<number>[] = []
  for (const key of [1, 2, 3, 4]) {
    found.push(find(key))
    await nextTurn()
  }
  assert.equal(calls.length, 2, 'one that hangs leaves room for another')
  calls[1]?.answer()
  assert.equal(await found[1], 20)
  await nextTurn()
  assert.deepEqual(calls[2]?.keys, [3, 4])
  calls[2]?.answer()
  assert.deepEqual(await Promise.all(found.slice(2)), [30, 40])
  calls[0]?.answer()
  assert.equal(await found[0], 10)
})

test('a look-up that fails does so for all of its keys, and the next one is not concerned', async () => {
  const { find, calls } = heldLookUp()
  const failed = Promise.allSettled([find(1), find(2)])
  await nextTurn()
  calls[0]?.fail()
  for (const { status } of await failed) assert.equal(status, 'rejected')
  const found = find(3)
  await nextTurn()
  calls[1]?.answer()
  assert.equal(await found, 30)
})
