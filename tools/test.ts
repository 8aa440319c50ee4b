/**
 * `npm test`: the static checks, then every test on a real database.
 *
 *   npm test                              everything
 *   npm test -- server/src/kernel quotes  only files whose path holds one of these, and no static checks
 *   npm test -- --name=CUST-18            only tests whose title matches
 *
 * Tests that kill processes or drive a browser run one file at a time after the others.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runTestFiles, type TestRun } from './run-test-files.ts'
import { startTestDatabase } from './test-database.ts'

const root = join(import.meta.dirname, '..')
const FOLDERS = ['server', 'sdk', 'dashboard', 'examples', 'tools', 'bench']
const ALONE = /^server\/test\/(faults|pages)\//
const FILE_LIMIT_MS = 300_000
const SLOWEST = 10

function findTestFiles(wanted: readonly string[]): string[] {
  const files = FOLDERS.flatMap((folder) =>
    globSync(`${folder}/**/*.test.ts`, {
      cwd: root,
      exclude: (path) => /(^|\/)node_modules$/.test(path),
    }),
  )
  const isWanted = (file: string): boolean =>
    wanted.length === 0 || wanted.some((part) => file.includes(part.replace(/^\.\//, '')))
  return files.filter(isWanted).sort()
}

async function passesChecks(): Promise<boolean> {
  const child = spawn(process.execPath, ['tools/check.ts'], { cwd: root, stdio: 'inherit' })
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)))
}

/** Ctrl-C, an end asked from outside, or the death of the parent process: all lead to the same orderly end. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  const interrupt = (): void => controller.abort(new Error('the run was interrupted'))
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, interrupt)
  process.channel?.unref()
  return controller.signal
}

async function runAll(files: readonly string[], namePatterns: readonly string[]): Promise<TestRun> {
  const signal = interruption()
  const database = await startTestDatabase()
  try {
    Object.assign(process.env, database.environment)
    return await runTestFiles(
      [
        { files: files.filter((file) => !ALONE.test(file)), atOnce: availableParallelism() + 1 },
        { files: files.filter((file) => ALONE.test(file)), atOnce: 1 },
      ],
      { cwd: root, fileLimitMs: FILE_LIMIT_MS, namePatterns, output: process.stdout, signal },
    )
  } finally {
    await database.stop()
  }
}

function printSlowest({ outcomes }: TestRun): void {
  const slowest = outcomes.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST)
  console.log('\nslowest files:')
  for (const { file, durationMs } of slowest) {
    console.log(`${(durationMs / 1_000).toFixed(1).padStart(8)} s  ${file}`)
  }
}

function problemsOf(files: readonly string[], { outcomes, counts }: TestRun): string[] {
  const failed = outcomes.filter(({ passed }) => !passed).map(({ file }) => file)
  const problems = failed.toSorted().map((file) => `failed: ${file}`)
  if (counts.skipped + counts.todo > 0) problems.push('failed: a test was skipped')
  if (counts.tests === 0) problems.push('failed: no test ran')
  if (outcomes.length < files.length) problems.push('failed: the run was interrupted')
  return problems
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { name: { type: 'string', multiple: true, default: [] } },
})
const isSelected = positionals.length > 0 || values.name.length > 0
const files = findTestFiles(positionals)
const problems = files.length === 0 ? ['failed: no test file matches'] : []
if (!isSelected && !(await passesChecks())) problems.push('failed: the static checks')
if (files.length > 0) {
  const outcome = await runAll(files, values.name)
  printSlowest(outcome)
  problems.push(...problemsOf(files, outcome))
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1
