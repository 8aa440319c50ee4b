/**
 * Runs the test files that its parent names, one after the other in this process, so that the service's modules load
 * once. Each file is a suite of its own: its hooks end with it. `test-reporter.ts` sends the results to the parent.
 */
import { suite, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { END_OF_FILE } from './test-reporter.ts'

/** Part of every test's full name, so it must not match a pattern of names. */
const FILE_SUITE = '·'

/** The test runner would report an error outside of any test only at the end of this process. */
function reportStray(error: unknown): void {
  if (process.connected) process.send?.({ type: 'stray', data: { text: inspect(error) } })
}

const isNarrowed = process.execArgv.some((option) => option.startsWith('--test-name-pattern'))
const pass = (): void => undefined

/** Hooks run beside a test only: a file without a wanted test gets one, so that it ends what it has started. */
async function load(path: string): Promise<void> {
  await import(pathToFileURL(path).href)
  if (isNarrowed) void test(END_OF_FILE, pass)
}

/** What a file set off and does not wait for still has a turn to fail in. */
async function runFile(path: string): Promise<void> {
  await suite(FILE_SUITE, () => load(path))
  await turn()
  await turn()
  await test(END_OF_FILE, pass)
}

process.on('unhandledRejection', reportStray).on('uncaughtException', reportStray)
process.on('message', (path: string) => void runFile(path))
