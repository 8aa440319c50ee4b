import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { END_OF_FILE } from './test-reporter.ts'

export const KINDS = [
  'tests',
  'suites',
  'passed',
  'failed',
  'cancelled',
  'skipped',
  'todo',
] as const
export type Counts = Record<(typeof KINDS)[number], number>

export type FileRun = {
  file: string
  passed: boolean
  durationMs: number
  readonly events: TestEvent[]
  readonly counts: Counts
  /** What tests could not run here, in their words. */
  readonly notRun: string[]
}

export type ProcessOptions = Readonly<{
  cwd: string
  fileLimitMs: number
  /** After its last file, until it is killed. */
  endLimitMs: number
  namePatterns: readonly string[]
  signal: AbortSignal
}>

/** A process that runs test files, one at a time. */
export type TestProcess = Readonly<{
  run(file: string): Promise<FileRun>
  /** Whether it may run another file: it lives, and each file so far has passed. */
  isSound(): boolean
  /** Lets it end by itself; if it does not, its last file has failed. */
  end(): Promise<void>
}>

type Failure = Readonly<{ text: string; failureType?: string }>

type Message = Readonly<{
  type: string
  data: {
    text?: string
    message?: string
    name?: string
    nesting: number
    skip?: unknown
    todo?: unknown
    details?: { type?: string; failure?: Failure }
  }
}>

export const noCounts = (): Counts => ({
  tests: 0,
  suites: 0,
  passed: 0,
  failed: 0,
  cancelled: 0,
  skipped: 0,
  todo: 0,
})

/** A test that needs a program which is not installed says so in a diagnostic that begins like this. */
export const NOT_RUN = 'not run: '
/** Like this where the program is in no package of Debian: then it is no failure anywhere. */
const NOT_RUN_WHERE_MISSING = 'not run where missing: '

const CANCELLED = new Set(['cancelledByParent', 'testTimeoutFailure', 'testAborted'])

/** Printed by the reporter as it is. */
const errorOf = ({ text, failureType }: Failure): object => ({
  failureType,
  [inspect.custom]: () => text,
})

function kindOf({ type, data }: Message): keyof Counts {
  if (data.todo !== undefined) return 'todo'
  if (data.skip !== undefined) return 'skipped'
  if (CANCELLED.has(data.details?.failure?.failureType ?? '')) return 'cancelled'
  return type === 'test:pass' ? 'passed' : 'failed'
}

/** Fails the file for something that none of its tests says. */
function failFile(run: FileRun, text: string): void {
  const { file, counts, events } = run
  counts.tests += 1
  counts.failed += 1
  run.passed = false
  const details = { duration_ms: 0, error: errorOf({ text }) }
  const data = { name: file, nesting: 0, testNumber: 0, file, line: 1, column: 1, details }
  events.push({ type: 'test:fail', data } as unknown as TestEvent)
}

/** The suite around a file is left out of the report; what it says about the end of the file is not. */
function note(run: FileRun, message: Message): 'ended' | 'running' {
  const { type, data } = message
  const isResult = type === 'test:pass' || type === 'test:fail'
  const failure = data.details?.failure
  const { message: words = '' } = data
  if ([NOT_RUN, NOT_RUN_WHERE_MISSING].some((start) => words.startsWith(start)))
    run.notRun.push(words)
  if (type === 'stray') {
    failFile(run, `not handled: ${data.text}`)
  } else if (data.nesting === 0) {
    if (failure && failure.failureType !== 'subtestsFailed') failFile(run, failure.text)
    if (isResult && data.name === END_OF_FILE) return 'ended'
  } else if (data.name !== END_OF_FILE || type === 'test:fail') {
    if (isResult) countResult(run, message)
    const details = { ...data.details, ...(failure && { error: errorOf(failure) }) }
    run.events.push({ type, data: { ...data, nesting: data.nesting - 1, details } } as TestEvent)
  }
  return 'running'
}

function countResult(run: FileRun, message: Message): void {
  if (message.type === 'test:fail') run.passed = false
  if (message.data.details?.type === 'suite') {
    run.counts.suites += 1
  } else {
    run.counts.tests += 1
    run.counts[kindOf(message)] += 1
  }
}

export function startTestProcess(options: ProcessOptions): TestProcess {
  const { cwd, fileLimitMs, endLimitMs, namePatterns, signal } = options
  const child = fork(join(import.meta.dirname, 'test-worker.ts'), {
    cwd,
    execArgv: [
      // Most of what a test makes is garbage soon: a larger nursery saves half the collector's work.
      '--max-semi-space-size=64',
      `--import=${join(import.meta.dirname, 'test-context.ts')}`,
      // As the service itself does: it finds its sources without asking the disk for each.
      `--import=${join(import.meta.dirname, '../../server/src/bin/resolve-sources.ts')}`,
      `--test-reporter=${join(import.meta.dirname, 'test-reporter.ts')}`,
      '--test-reporter-destination=stdout',
      ...namePatterns.map((pattern) => `--test-name-pattern=${pattern}`),
      ...(namePatterns.length > 0 ? [`--test-name-pattern=${END_OF_FILE}`] : []),
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  /** The last one too, so that an error after its end is still its failure. */
  let latest: FileRun | undefined
  let finish: (() => void) | undefined
  let isAlive = true
  const kill = (): boolean => child.kill('SIGKILL')
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const overhear = (type: string) => (chunk: string) =>
    latest?.events.push({ type, data: { message: chunk } } as TestEvent)
  const fail = (text: string): void => {
    if (latest && finish) failFile(latest, text)
    finish?.()
  }
  signal.addEventListener('abort', kill)
  child.stdout?.setEncoding('utf8').on('data', overhear('test:stdout'))
  child.stderr?.setEncoding('utf8').on('data', overhear('test:stderr'))
  child.on('message', (message: Message) => {
    if (latest && note(latest, message) === 'ended') finish?.()
  })
  child.on('exit', (code, killedBy) => {
    isAlive = false
    signal.removeEventListener('abort', kill)
    fail(`its process ended with ${killedBy ?? `status ${code}`}`)
  })
  const isSound = (): boolean => isAlive && latest?.passed !== false
  return {
    isSound,
    async run(file) {
      const startedMs = performance.now()
      const run = { file, passed: true, durationMs: 0, events: [], counts: noCounts(), notRun: [] }
      latest = run
      const limit = setTimeout(() => {
        fail(`does not end within ${fileLimitMs / 1_000} s`)
        kill()
      }, fileLimitMs)
      await new Promise<void>((resolve) => {
        finish = resolve
        child.send(join(cwd, file))
      })
      finish = undefined
      clearTimeout(limit)
      run.durationMs = performance.now() - startedMs
      return run
    },
    async end() {
      const wasSound = isSound()
      const limit = setTimeout(kill, wasSound ? endLimitMs : 0)
      if (child.connected) child.disconnect()
      const [code] = await exited
      clearTimeout(limit)
      if (wasSound && code !== 0 && latest) failFile(latest, 'something of it still runs')
    },
  }
}
