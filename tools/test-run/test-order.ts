import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Durations = Readonly<Record<string, number>>

/** Of files that never ran here: large ones, and those that start processes of their own, take longest. */
const BYTES_PER_MS = 5
const MANY_PROCESSES =
  /^(server\/test\/(deploy|docs|faults|pages|samples)|server\/src\/providers\/(conformance|document-inspection)|examples)\//
const MANY_PROCESSES_MS = 10_000
/** Of these, files that build something with other programs; short as they are, they must not come last. */
const BUILDS = /^server\/(test\/deploy|src\/providers\/conformance)\//
const BUILDS_MS = 20_000

export const startsProcesses = (file: string): boolean => MANY_PROCESSES.test(file)

/** The longest first, so that all lanes end at about the same time. */
export function longestFirst(files: readonly string[], folder: string, kept: string): string[] {
  const durations = readDurations(kept)
  const guess = (file: string): number =>
    statSync(join(folder, file)).size / BYTES_PER_MS +
    (startsProcesses(file) ? MANY_PROCESSES_MS : 0) +
    (BUILDS.test(file) ? BUILDS_MS : 0)
  const expected = new Map(files.map((file) => [file, durations[file] ?? guess(file)]))
  return files.toSorted((a, b) => (expected.get(b) ?? 0) - (expected.get(a) ?? 0))
}

export function keepDurations(
  outcomes: readonly Readonly<{ file: string; durationMs: number }>[],
  kept: string,
): void {
  const durations = Object.fromEntries(
    outcomes.map(({ file, durationMs }) => [file, Math.round(durationMs)]),
  )
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, JSON.stringify({ ...readDurations(kept), ...durations }))
}

function readDurations(kept: string): Durations {
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as Durations
  } catch {
    return {}
  }
}
