import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shrinkPhoto, type Photo } from './shrink-photo.ts'

const grey = (width: number, height: number, values: readonly number[]): Photo => ({
  width,
  height,
  rgb: Uint8Array.from(values.flatMap((value) => [value, value, value])),
})

const valuesOf = ({ rgb }: Photo): number[] => [...rgb].filter((_, at) => at % 3 === 0)

const CASES = [
  [grey(4, 2, [0, 100, 40, 60, 100, 200, 20, 40]), 2, [100, 40], 'the mean of each square'],
  [grey(3, 1, [0, 90, 180]), 2, [30, 150], 'a pixel on the border counts in part on both sides'],
  [grey(2, 2, [1, 2, 3, 4]), 2, [1, 2, 3, 4], 'what is small enough stays as it is'],
  [grey(1, 1, [9]), 800, [9], 'never enlarged'],
  [grey(5, 1, [10, 10, 10, 10, 10]), 3, [10, 10, 10], 'one color stays one color'],
] as const

for (const [photo, longSideMax, expected, because] of CASES) {
  test(`DOC-10 a photo is shrunk by area averaging: ${because}`, () => {
    assert.deepEqual(valuesOf(shrinkPhoto(photo, longSideMax)), expected)
  })
}

test('DOC-10 the long side decides, the proportions stay', () => {
  const { width, height } = shrinkPhoto(grey(40, 1000, new Array<number>(40_000).fill(7)), 800)
  assert.deepEqual([width, height], [32, 800])
})
