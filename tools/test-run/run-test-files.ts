import { performance } from 'node:perf_hooks'
import { spec, type TestEvent } from 'node:test/reporters'
import {
  KINDS,
  noCounts,
  startTestProcess,
  type Counts,
  type FileRun,
  type ProcessOptions,
  type TestProcess,
} from './test-process.ts'

export type FileOutcome = Readonly<{ file: string; passed: boolean; durationMs: number }>

export type TestRun = Readonly<{
  outcomes: readonly FileOutcome[]
  counts: Readonly<Counts>
  notRun: readonly string[]
}>

/** Files of one group run together, `atOnce` at a time and in this order; the groups one after the other. */
export type TestGroup = Readonly<{
  files: readonly string[]
  atOnce: number
  /** Other work: one of the files' lanes begins only when it has ended. */
  beside?: Promise<unknown>
}>

type Options = ProcessOptions & Readonly<{ output: NodeJS.WritableStream }>

/**
 * Files run in a few processes, each reported as soon as it has ended and without another's lines between. A file that
 * does not end in time is killed and has failed. The report closes with one count of all groups.
 */
export async function runTestFiles(
  groups: readonly TestGroup[],
  options: Options,
): Promise<TestRun> {
  const startedMs = performance.now()
  const reporter = new spec()
  reporter.pipe(options.output)
  const runs: FileRun[] = []
  const report = ({ events }: FileRun): void => {
    for (const event of events.splice(0)) reporter.write(event)
  }
  for (const { files, atOnce, beside } of groups) {
    const waiting = [...files]
    const next = (): string | undefined => (options.signal.aborted ? undefined : waiting.shift())
    const onEnd = (run: FileRun): void => {
      runs.push(run)
      report(run)
    }
    const runOne = (): Promise<void> => runLane({ next, onEnd }, options)
    const others = Array.from({ length: atOnce - 1 }, runOne)
    await Promise.all([...others, Promise.resolve(beside).then(runOne)])
  }
  runs.forEach(report)
  const counts = noCounts()
  for (const run of runs) for (const kind of KINDS) counts[kind] += run.counts[kind]
  for (const event of closing({ counts, durationMs: performance.now() - startedMs })) {
    reporter.write(event)
  }
  await new Promise<void>((resolve) => reporter.end(resolve))
  const outcomes = runs.map(({ file, passed, durationMs }) => ({ file, passed, durationMs }))
  return { outcomes, counts, notRun: runs.flatMap(({ notRun }) => notRun) }
}

type Lane = Readonly<{ next: () => string | undefined; onEnd: (run: FileRun) => void }>

/** One file after the other in one process, and in a new one after a file that failed: it may have left anything. */
async function runLane({ next, onEnd }: Lane, options: ProcessOptions): Promise<void> {
  let current: TestProcess | undefined
  for (let file = next(); file !== undefined; file = next()) {
    current ??= startTestProcess(options)
    onEnd(await current.run(file))
    if (current.isSound()) continue
    await current.end()
    current = undefined
  }
  await current?.end()
}

/** What Node's runner itself would say at the end of one run over all files. */
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
