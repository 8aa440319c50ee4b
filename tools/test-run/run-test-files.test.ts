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
  'exits.test.mjs': `import { test } from 'node:test'; test('exits', () => process.exit(7))`,
  'hangs.test.mjs': `import { test } from 'node:test'; test('waits', () => new Promise((resolve) => setInterval(resolve, 60_000)))`,
  'keeps-running.test.mjs': `import { test } from 'node:test'; test('fine', () => {}); setInterval(() => {}, 1000)`,
  'rejects.test.mjs': `import { test } from 'node:test'; test('fine', () => {}); setImmediate(() => Promise.reject(new Error('nobody waits for it')))`,
  'hooked.test.mjs': `import { after, afterEach, test } from 'node:test'
    afterEach(() => console.log('after each of hooked')); after(() => console.log('after hooked')); test('hooked', () => {})`,
  'after-fails.test.mjs': `import { after, test } from 'node:test'; after(() => { throw new Error('in a hook') }); test('fine', () => {})`,
  'serves.test.mjs': `import { after, test } from 'node:test'
    const ticking = setInterval(() => {}, 1000); after(() => clearInterval(ticking)); test('one', () => {})`,
  'skips.test.mjs': `import { test } from 'node:test'; test('later', { skip: true }, () => {})`,
  'needs-program.test.mjs': `import { test } from 'node:test'; test('it', (t) => { t.diagnostic('not run: it, without its program'); t.diagnostic('not run where missing: that') })`,
  'fails-once.test.mjs': `import { test } from 'node:test'; import { existsSync, writeFileSync } from 'node:fs'
    test('slow', () => { if (existsSync('tried')) return; writeFileSync('tried', ''); throw new Error('too late') })`,
  'process-1.test.mjs': `import { test } from 'node:test'; test('one', () => {}); console.log('ran in', process.pid)`,
  'process-2.test.mjs': `import { test } from 'node:test'; test('two', () => {}); console.log('ran in', process.pid)`,
}

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-runner-'))
  for (const [name, code] of Object.entries(FILES)) await writeFile(join(folder, name), code)
})
after(() => rm(folder, { recursive: true }))

type Asked = Readonly<{
  groups: TestGroup[]
  namePatterns?: string[]
  isInterrupted?: true
  limits?: Partial<typeof AMPLE>
}>

/** Far more than a file needs, also on a busy machine; a test of a limit sets its own. */
const AMPLE = { fileLimitMs: 60_000, endLimitMs: 60_000, lostMin: 2 }

const inOrder = (...names: readonly string[]): TestGroup => ({
  files: names.map((name) => `${name}.test.mjs`),
  atOnce: 1,
})

/** In a process that is not itself a test: the runner refuses to run inside of one. */
const PROGRAM = `
  import { runTestFiles } from ${JSON.stringify(join(import.meta.dirname, 'run-test-files.ts'))}
  import { PassThrough } from 'node:stream'
  const { groups, namePatterns = [], isInterrupted, limits } = JSON.parse(process.argv[2])
  const signal = isInterrupted ? AbortSignal.abort() : new AbortController().signal
  const output = new PassThrough()
  output.pipe(process.stderr)
  const options = { cwd: process.cwd(), ...limits, namePatterns, output, signal }
  console.log(JSON.stringify(await runTestFiles(groups, options)))
`

async function runAll({ limits, ...rest }: Asked): Promise<TestRun & { report: string }> {
  const asked = { ...rest, limits: { ...AMPLE, ...limits } }
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

const processesOf = (report: string): Set<string> => new Set(report.match(/ran in \d+/g))

test('groups run after each other and end in one count and one list of failures', async () => {
  const together = { ...inOrder('passes', 'fails'), atOnce: 2 }
  const run = await runAll({ groups: [together, inOrder('crashes')] })
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

test('files share a process', async () => {
  const { report } = await runAll({ groups: [inOrder('process-1', 'process-2')] })
  assert.equal(processesOf(report).size, 1)
})

test('the hooks of a file end with it', async () => {
  const { report } = await runAll({ groups: [inOrder('hooked', 'passes')] })
  assert.equal(report.match(/after each of hooked/g)?.length, 1)
  assert.equal(report.match(/after hooked/g)?.length, 1)
})

for (const [name, reason, limits = {}] of [
  ['crashes', /at load/],
  ['exits', /its process ended with status 7/],
  ['hangs', /does not end within 8 s/, { fileLimitMs: 8_000 }],
  ['rejects', /nobody waits for it/],
  ['after-fails', /in a hook/],
] as const) {
  test(`a file that ${name} has failed, and the files after it run`, async () => {
    const run = await runAll({ groups: [inOrder('process-1', name, 'process-2')], limits })
    assert.deepEqual(passedOf(run), {
      'process-1.test.mjs': true,
      [`${name}.test.mjs`]: false,
      'process-2.test.mjs': true,
    })
    assert.match(run.report, reason)
    assert.equal(processesOf(run.report).size, 2, 'nothing else runs where a file has failed')
  })
}

test('a process that does not end fails the last of its files', async () => {
  const run = await runAll({ groups: [inOrder('keeps-running')], limits: { endLimitMs: 1_000 } })
  assert.deepEqual(passedOf(run), { 'keeps-running.test.mjs': false })
  assert.match(run.report, /something of it still runs/)
})

test('files of the last lanes are taken first by them', async () => {
  const ofLastLanes = { files: ['process-2.test.mjs'], lanes: 1 }
  const group = { ...inOrder('process-1', 'process-2'), ofLastLanes }
  const { outcomes } = await runAll({ groups: [group] })
  assert.deepEqual(
    outcomes.map(({ file }) => file),
    ['process-2.test.mjs', 'process-1.test.mjs'],
  )
})

test('a skipped test is counted, for the caller to refuse it', async () => {
  const run = await runAll({ groups: [inOrder('skips')] })
  assert.equal(run.counts.skipped, 1)
})

test('a file that fails while the machine stands still runs again, and then counts', async () => {
  const group = inOrder('fails-once', 'fails', 'passes')
  const run = await runAll({ groups: [group], limits: { lostMin: 0 } })
  assert.deepEqual(passedOf(run), {
    'passes.test.mjs': true,
    'fails-once.test.mjs': true,
    'fails.test.mjs': false,
  })
  assert.deepEqual(
    run.repeated.map(({ file }) => file),
    ['fails-once.test.mjs', 'fails.test.mjs', 'fails.test.mjs'],
  )
  assert.deepEqual([run.counts.passed, run.counts.failed], [3, 1])
  assert.match(run.report, /fails-once\.test\.mjs failed while the machine lost [^]*too late/)
})

test('what a test could not run is handed on, for the caller to name it', async () => {
  const run = await runAll({ groups: [inOrder('needs-program', 'passes')] })
  const named = ['not run: it, without its program', 'not run where missing: that']
  assert.deepEqual(run.notRun, named)
})

test('a name pattern leaves the other tests of each file out', async () => {
  const group = inOrder('passes', 'fails', 'process-2')
  const run = await runAll({ groups: [group], namePatterns: ['two'] })
  assert.deepEqual([run.counts.tests, run.counts.passed], [2, 2])
})

test('a file without a test of the wanted name still ends what it has started', async () => {
  const limits = { endLimitMs: 5_000 }
  const run = await runAll({ groups: [inOrder('fails', 'serves')], namePatterns: ['two'], limits })
  assert.deepEqual(passedOf(run), { 'fails.test.mjs': true, 'serves.test.mjs': true })
  assert.equal(run.counts.tests, 0)
})

test('an interruption starts no further file', async () => {
  const run = await runAll({ groups: [inOrder('passes')], isInterrupted: true })
  assert.deepEqual(run.outcomes, [])
})
