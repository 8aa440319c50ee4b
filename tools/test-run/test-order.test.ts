import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keepDurations, longestFirst } from './test-order.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-order-'))
  await writeFile(join(folder, 'small.test.ts'), 'x')
  await writeFile(join(folder, 'large.test.ts'), 'x'.repeat(1_000))
})
after(() => rm(folder, { recursive: true }))

const FILES = ['small.test.ts', 'large.test.ts']
const order = (kept: string): string[] => longestFirst(FILES, folder, join(folder, kept))

test('the largest file comes first where none has run yet', () => {
  assert.deepEqual(order('none.json'), ['large.test.ts', 'small.test.ts'])
})

test('the file that took longest in its last run comes first', () => {
  const kept = join(folder, 'cache', 'kept.json')
  keepDurations([{ file: 'large.test.ts', durationMs: 10 }], kept)
  keepDurations([{ file: 'small.test.ts', durationMs: 5_000 }], kept)
  assert.deepEqual(order('cache/kept.json'), ['small.test.ts', 'large.test.ts'])
})

test('durations that cannot be read count as none', async () => {
  await writeFile(join(folder, 'broken.json'), '{"small')
  assert.deepEqual(order('broken.json'), ['large.test.ts', 'small.test.ts'])
})
