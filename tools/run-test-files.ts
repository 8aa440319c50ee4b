import { performance } from 'node:perf_hooks'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'

export type FileOutcome = Readonly<{ file: string; passed: boolean; durationMs: number }>

export type Counts = Record<
  'tests' | 'suites' | 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo',
  number
>

export type TestRun = Readonly<{ outcomes: readonly FileOutcome[]; counts: Readonly<Counts> }>

/** Files of one group run together, `atOnce` at a time; the groups one after the other. */
export type TestGroup = Readonly<{ files: readonly string[]; atOnce: number }>

type Options = Readonly<{
  cwd: string
  fileLimitMs: number
  namePatterns: readonly string[]
  output: NodeJS.WritableStream
  signal: AbortSignal
}>

/**
 * Each file in a process of its own, reported as soon as it has ended and without another's lines between. A file that
 * does not end in time is killed and has failed. The report closes with one count of all groups.
 */
export async function runTestFiles(
  groups: readonly TestGroup[],
  options: Options,
): Promise<TestRun> {
  const startedMs = performance.now()
  const reporter = new spec()
  reporter.pipe(options.output)
  const outcomes: FileOutcome[] = []
  const counts = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 }
  for (const { files, atOnce } of groups) {
    const waiting = [...files]
    const lane = async (): Promise<void> => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        if (options.signal.aborted) return
        const { outcome, events, counts: counted } = await runFile(file, options)
        for (const event of events) reporter.write(event)
        for (const kind of KINDS) counts[kind] += counted[kind] ?? 0
        outcomes.push(outcome)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
  }
  for (const event of closing({ counts, durationMs: performance.now() - startedMs })) {
    reporter.write(event)
  }
  await new Promise<void>((resolve) => reporter.end(resolve))
  return { outcomes, counts }
}

const KINDS = ['tests', 'suites', 'passed', 'failed', 'cancelled', 'skipped', 'todo'] as const

type FileRun = Readonly<{ outcome: FileOutcome; events: TestEvent[]; counts: Partial<Counts> }>

async function runFile(file: string, options: Options): Promise<FileRun> {
  const startedMs = performance.now()
  const events: TestEvent[] = []
  let counts: Partial<Counts> = {}
  let passed = false
  const stream = run({
    files: [file],
    cwd: options.cwd,
    timeout: options.fileLimitMs,
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.fileLimitMs)]),
    ...(options.namePatterns.length > 0 && { testNamePatterns: options.namePatterns }),
  })
  for await (const event of stream as AsyncIterable<TestEvent>) {
    if (event.type === 'test:summary' && event.data.file === undefined) {
      counts = event.data.counts as Partial<Counts>
      passed = event.data.success
    } else if (!isClosing(event)) {
      events.push(event)
    }
  }
  return { outcome: { file, passed, durationMs: performance.now() - startedMs }, events, counts }
}

/** The counts of one run, which would stand between the files. */
const isClosing = ({ type, data }: TestEvent): boolean =>
  type === 'test:diagnostic' &&
  /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(data.message)

/** What the runner itself would say at the end of one run over all files. */
function closing(of: { counts: Counts; durationMs: number }): TestEvent[] {
  const { passed, failed, cancelled, skipped, tests, suites, todo } = of.counts
  const lines = { tests, suites, pass: passed, fail: failed, cancelled, skipped, todo }
  const diagnostics = Object.entries({ ...lines, duration_ms: Math.round(of.durationMs) }).map(
    ([name, value]) => ({
      type: 'test:diagnostic',
      data: { nesting: 0, message: `${name} ${value}`, level: 'info' },
    }),
  )
  const summary = {
    type: 'test:summary',
    data: { success: failed + cancelled === 0, counts: of.counts, duration_ms: of.durationMs },
  }
  return [...diagnostics, summary] as TestEvent[]
}
