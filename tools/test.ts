/**
 * `npm test`: every test on a real database, with the static checks beside them.
 *
 *   npm test                              everything
 *   npm test -- server/src/kernel quotes  only files whose path holds one of these, and no static checks
 *   npm test -- --name=CUST-18            only tests whose title matches
 *   npm test -- --minutes=60 faults       a file may take so long, instead of five minutes
 *
 * What needs a program that is not installed is named in the last lines; with TEST_EVERYTHING=1 it is a failure, unless
 * no package of Debian has it.
 *
 * Test files share a few processes. Those that measure time run one by one after the others, and after them again those
 * that failed while the machine lost a tenth of its time or more; the last lines name them.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { text } from 'node:stream/consumers'
import { hasChromium } from '../server/test/kit/pages/installed-chromium.ts'
import {
  runTestFiles,
  whenRepeated,
  type TestGroup,
  type TestRun,
} from './test-run/run-test-files.ts'
import { NOT_RUN } from './test-run/test-process.ts'
import { startTestDatabase } from './test-run/test-database.ts'
import { keepDurations, longestFirst, startsProcesses } from './test-run/test-order.ts'

const root = join(import.meta.dirname, '..')
const FOLDERS = ['server', 'sdk', 'cli', 'dashboard', 'examples', 'tools', 'bench']
const DURATIONS = join(root, '.cache', 'test-durations.json')
/** What a file says in a comment that measures how long something takes. */
const ALONE = '// Runs alone:'
const OPENS_BROWSER = /from '.*\/(?:browser|visit)\.ts'/
const FILE_MINUTES = '5'
const END_LIMIT_MS = 20_000
const SLOWEST = 10
const FILES_PER_LANE = 4
const LANES_OF_PROCESSES = 2
const LOST_MIN = 0.1
/** A niceness: where all want to run, a check gets a third of what a test gets. */
const BEHIND_TESTS = 5

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

const readText = (file: string): string => readFileSync(join(root, file), 'utf8')

/** A file that looks for Chromium by itself has other tests too. */
const needsBrowser = (file: string): boolean => {
  const source = readText(file)
  return OPENS_BROWSER.test(source) && !source.includes('hasChromium')
}

/**
 * For the lanes, and the services and commands that tests start as processes: each would compile a second's worth of
 * sources, since Node.js keeps what it compiled only when a process ends, and most of these are killed.
 */
async function compileSources(signal: AbortSignal): Promise<string[]> {
  const program = 'server/src/bin/compile.ts'
  const child = spawn(process.execPath, [program], { cwd: root, stdio: 'inherit', signal })
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve))
  return (await ended) === 0 ? [] : [`failed: ${program}`]
}

/**
 * One check after the other and behind the tests, which leave a twelfth of the processors' time to them: they wait now and
 * then. What the checks say is printed in one piece; where one fails, that is left to the end, where it is read.
 */
async function runChecks(signal: AbortSignal): Promise<string[]> {
  const child = spawn(process.execPath, ['tools/check.ts', '--at-once=1'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  })
  if (child.pid !== undefined) setPriority(child.pid, BEHIND_TESTS)
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve))
  const findings = await text(child.stdout)
  if ((await ended) !== 0) return [`failed: the static checks\n${findings}`]
  process.stdout.write(findings)
  return []
}

/** Ctrl-C, an end asked from outside, or the death of the parent process: all lead to the same orderly end. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  const interrupt = (): void => controller.abort(new Error('the run was interrupted'))
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, interrupt)
  process.channel?.unref()
  return controller.signal
}

/** Few for few files, since each lane starts a service. */
const lanesFor = (files: readonly string[], max: number): number =>
  Math.min(max, Math.ceil(files.length / FILES_PER_LANE))

/** More lanes than there are cores, since tests also wait: those that start processes wait the most. */
function groupOf(files: readonly string[]): TestGroup {
  const starting = files.filter(startsProcesses)
  const others = files.filter((file) => !startsProcesses(file))
  const lanes = lanesFor(starting, LANES_OF_PROCESSES)
  const atOnce = lanes + lanesFor(others, availableParallelism() + (lanes === 0 ? 1 : 0))
  return { files, atOnce, ofLastLanes: { files: starting, lanes } }
}

type Asked = Readonly<{
  files: readonly string[]
  namePatterns: readonly string[]
  fileLimitMs: number
  /** What the lanes wait for, while the database starts. */
  compiled: Promise<unknown>
  signal: AbortSignal
}>

async function runAll({ files, compiled, ...options }: Asked): Promise<TestRun> {
  const [database] = await Promise.all([startTestDatabase(), compiled])
  const isAlone = (file: string): boolean => readText(file).includes(ALONE)
  const ordered = longestFirst(files, root, DURATIONS)
  try {
    Object.assign(process.env, database.environment)
    return await runTestFiles(
      [
        groupOf(ordered.filter((file) => !isAlone(file))),
        { files: ordered.filter(isAlone), atOnce: 1 },
      ],
      {
        cwd: root,
        endLimitMs: END_LIMIT_MS,
        lostMin: LOST_MIN,
        output: process.stdout,
        ...options,
      },
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

function problemsOf(files: readonly string[], { outcomes, counts, notRun }: TestRun): string[] {
  const failed = outcomes.filter(({ passed }) => !passed).map(({ file }) => file)
  const problems = failed.toSorted().map((file) => `failed: ${file}`)
  if (counts.skipped + counts.todo > 0) problems.push('failed: a test was skipped')
  if (counts.tests === 0) problems.push('failed: no test ran')
  const isLacking = notRun.some((words) => words.startsWith(NOT_RUN))
  if (isLacking && process.env['TEST_EVERYTHING'] === '1')
    problems.push('failed: something was not run')
  if (outcomes.length < files.length) problems.push('failed: the run was interrupted')
  return problems
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string', multiple: true, default: [] },
    minutes: { type: 'string', default: FILE_MINUTES },
  },
})
const isSelected = positionals.length > 0 || values.name.length > 0
const found = findTestFiles(positionals)
const files = found.filter((file) => hasChromium() || !needsBrowser(file))
const leftOut = found.length - files.length
const problems = files.length === 0 ? ['failed: no test file matches that can run here'] : []
const signal = interruption()
const compiled = isSelected ? Promise.resolve([]) : compileSources(signal)
const checks = isSelected ? Promise.resolve([]) : runChecks(signal)
if (files.length > 0) {
  const fileLimitMs = Number(values.minutes) * 60_000
  const run = await runAll({
    files,
    namePatterns: values.name,
    fileLimitMs,
    compiled,
    signal,
  })
  const withoutBrowser = `${NOT_RUN}${leftOut} files with pages: Chromium is not installed here`
  const outcome = { ...run, notRun: [...(leftOut > 0 ? [withoutBrowser] : []), ...run.notRun] }
  printSlowest(outcome)
  if (values.name.length === 0) keepDurations(outcome.outcomes, DURATIONS)
  for (const left of outcome.notRun) console.log(left)
  for (const { file, lost } of outcome.repeated) console.log(`${file} ${whenRepeated(lost)}`)
  problems.push(...problemsOf(files, outcome))
}
problems.push(...(await compiled), ...(await checks))
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1
