import { performance } from 'node:perf_hooks'
import { spec, type TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import {
  KINDS,
  noCounts,
  startTestProcess,
  type Counts,
  type FileRun,
  type ProcessOptions,
  type TestProcess,
} from './test-process.ts'
import { watchLost } from './lost-time.ts'

export type FileOutcome = Readonly<{ file: string; passed: boolean; durationMs: number }>

export type TestRun = Readonly<{
  outcomes: readonly FileOutcome[]
  counts: Readonly<Counts>
  notRun: readonly string[]
  repeated: readonly Repeated[]
}>

/** A file that failed while the machine lost a good part of its time, and was run again. */
export type Repeated = Readonly<{ file: string; lost: number }>

/** Files of one group run together, `atOnce` at a time and in this order; the groups one after the other. */
export type TestGroup = Readonly<{
  files: readonly string[]
  atOnce: number
  /**
   * Taken first by the last lanes, and last by the others: these files hardly use the service that a lane runs, so that
   * it is loaded and compiled in fewer processes, and they wait a lot.
   */
  ofLastLanes?: Readonly<{ files: readonly string[]; lanes: number }>
}>

type Options = ProcessOptions &
  Readonly<{
    output: NodeJS.WritableStream
    /** From this share of its time on that the machine lost meanwhile, a failure does not count at once. */
    lostMin: number
  }>

/** More than these fail for another reason. */
const REPEATED_MAX = 40
/** What fails in the last one has failed, whatever the machine does. */
const ROUNDS = 2

/**
 * Files run in a few processes, each reported as soon as it has ended and without another's lines between. A file that
 * does not end in time is killed and has failed. The report closes with one count of all groups.
 *
 * The service gives up after seconds by design, so that its tests fail on a machine that stands still. A file that failed
 * during such a time runs again after all others, alone, at most twice.
 */
export async function runTestFiles(
  groups: readonly TestGroup[],
  options: Options,
): Promise<TestRun> {
  const startedMs = performance.now()
  const reporter = new spec()
  reporter.pipe(options.output)
  const runs: FileRun[] = []
  const repeated: Repeated[] = []
  const report = ({ events }: FileRun): void => {
    for (const event of events.splice(0)) reporter.write(event)
  }
  const mayRepeat = ({ passed }: FileRun, lost: number): boolean =>
    !passed && lost >= options.lostMin && repeated.length < REPEATED_MAX
  const runGroup = async (
    { files, atOnce, ofLastLanes }: TestGroup,
    isLast = false,
  ): Promise<readonly string[]> => {
    const again: string[] = []
    const waiting = [...files]
    const isOfLast = (file: string): boolean => ofLastLanes?.files.includes(file) ?? false
    const nextOf = (isPreferred: (file: string) => boolean) => (): string | undefined => {
      if (options.signal.aborted) return undefined
      const [file] = waiting.splice(Math.max(waiting.findIndex(isPreferred), 0), 1)
      return file
    }
    const onEnd = (run: FileRun, lost: number): void => {
      if (!isLast && mayRepeat(run, lost)) {
        again.push(run.file)
        repeated.push({ file: run.file, lost })
        reporter.write(postponed(run, lost))
      } else {
        runs.push(run)
        report(run)
      }
    }
    const first = atOnce - (ofLastLanes?.lanes ?? 0)
    const lanes = Array.from({ length: atOnce }, (_, lane) => {
      const isPreferred = (file: string): boolean => isOfLast(file) === lane >= first
      return runLane({ next: nextOf(isPreferred), onEnd }, options)
    })
    await Promise.all(lanes)
    return again
  }
  let postponedFiles: readonly string[] = []
  for (const group of groups) postponedFiles = [...postponedFiles, ...(await runGroup(group))]
  for (let round = 1; round <= ROUNDS; round += 1)
    postponedFiles = await runGroup({ files: postponedFiles, atOnce: 1 }, round === ROUNDS)
  runs.forEach(report)
  const counts = noCounts()
  for (const run of runs) for (const kind of KINDS) counts[kind] += run.counts[kind]
  for (const event of closing({ counts, durationMs: performance.now() - startedMs })) {
    reporter.write(event)
  }
  await new Promise<void>((resolve) => reporter.end(resolve))
  const outcomes = runs.map(({ file, passed, durationMs }) => ({ file, passed, durationMs }))
  return { outcomes, counts, notRun: runs.flatMap(({ notRun }) => notRun), repeated }
}

/** What failed is said, but is no failure yet. */
function postponed({ file, events }: FileRun, lost: number): TestEvent {
  const failures = events.flatMap(({ type, data }) =>
    type === 'test:fail' ? [`  ${data.name}: ${inspect(data.details.error)}`] : [],
  )
  const lines = [`${file} ${whenRepeated(lost)}:`, ...failures]
  return {
    type: 'test:diagnostic',
    data: { nesting: 0, message: lines.join('\n'), level: 'warn' },
  } as TestEvent
}

export const whenRepeated = (lost: number): string =>
  `failed while the machine lost ${Math.round(lost * 100)} % of its time, and is run again`

type Lane = Readonly<{
  next: () => string | undefined
  onEnd: (run: FileRun, lost: number) => void
}>

/**
 * One file after the other in one process, and in a new one after a file that failed: it may have left anything. By name
 * each has its own: Node leaves the suite of a later file out before it knows the tests in it.
 */
async function runLane({ next, onEnd }: Lane, options: ProcessOptions): Promise<void> {
  let current: TestProcess | undefined
  for (let file = next(); file !== undefined; file = next()) {
    current ??= startTestProcess(options)
    const lost = watchLost()
    const run = await current.run(file)
    onEnd(run, lost())
    if (current.isSound() && options.namePatterns.length === 0) continue
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
