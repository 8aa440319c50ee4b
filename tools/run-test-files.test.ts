import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { TestGroup, TestRun } from './run-test-files.ts'

const FILES = {
  'passes.test.mjs': `import { test } from 'node:test'; test('one', () => {}); test('two', () => {})`,
  'fails.test.mjs': `import { test } from 'node:test'; test('broken', () => { throw new Error('on purpose') })`,
  'crashes.test.mjs': `throw new Error('at load')`,
  'hangs.test.mjs': `import { test } from 'node:test'; test('fine', () => {}); setInterval(() => {}, 1000)`,
  'skips.test.mjs': `import { test } from 'node:test'; test('later', { skip: true }, () => {})`,
}

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-runner-'))
  for (const [name, code] of Object.entries(FILES)) await writeFile(join(folder, name), code)
})
after(() => rm(folder, { recursive: true }))

type Asked = Readonly<{ groups: TestGroup[]; namePatterns?: string[]; isInterrupted?: true }>

/** In a process that is not itself a test: the runner refuses to run inside of one. */
const PROGRAM = `
  import { runTestFiles } from ${JSON.stringify(join(import.meta.dirname, 'run-test-files.ts'))}
  const { groups, namePatterns = [], isInterrupted } = JSON.parse(process.argv[2])
  const signal = isInterrupted ? AbortSignal.abort() : new AbortController().signal
  const output = process.stderr
  const options = { cwd: process.cwd(), fileLimitMs: 3000, namePatterns, output, signal }
  console.log(JSON.stringify(await runTestFiles(groups, options)))
`

async function runAll(asked: Asked): Promise<TestRun & { report: string }> {
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env
  await writeFile(join(folder, 'runner.mjs'), PROGRAM)
  const child = spawn(process.execPath, ['runner.mjs', JSON.stringify(asked)], {
    cwd: folder,
    env,
    stdio: 'pipe',
  })
  const [result, report] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { ...(JSON.parse(result) as TestRun), report }
}

const passedOf = ({ outcomes }: TestRun): Record<string, boolean> =>
  Object.fromEntries(outcomes.map(({ file, passed }) => [file, passed]))

test('groups run after each other and end in one count and one list of failures', async () => {
  const run = await runAll({
    groups: [
      { files: ['passes.test.mjs', 'fails.test.mjs'], atOnce: 2 },
      { files: ['crashes.test.mjs'], atOnce: 1 },
    ],
  })
  assert.deepEqual(passedOf(run), {
    'passes.test.mjs': true,
    'fails.test.mjs': false,
    'crashes.test.mjs': false,
  })
  assert.deepEqual([run.counts.tests, run.counts.passed, run.counts.failed], [4, 2, 2])
  assert.equal(run.report.match(/^ℹ tests \d+$/gm)?.join(), 'ℹ tests 4')
  assert.equal(run.report.match(/failing tests:/g)?.length, 1)
  assert.match(run.report, /on purpose/)
  assert.match(run.report, /at load/)
})

test('a file that does not end is killed at its limit and has failed', async () => {
  const run = await runAll({ groups: [{ files: ['hangs.test.mjs'], atOnce: 1 }] })
  assert.deepEqual(passedOf(run), { 'hangs.test.mjs': false })
})

test('a skipped test is counted, for the caller to refuse it', async () => {
  const run = await runAll({ groups: [{ files: ['skips.test.mjs'], atOnce: 1 }] })
  assert.equal(run.counts.skipped, 1)
})

test('a name pattern leaves the other tests of a file out', async () => {
  const groups = [{ files: ['passes.test.mjs'], atOnce: 1 }]
  const run = await runAll({ groups, namePatterns: ['two'] })
  assert.equal(run.counts.passed, 1)
})

test('an interruption starts no further file', async () => {
  const groups = [{ files: ['passes.test.mjs'], atOnce: 1 }]
  const run = await runAll({ groups, isInterrupted: true })
  assert.deepEqual(run.outcomes, [])
})
