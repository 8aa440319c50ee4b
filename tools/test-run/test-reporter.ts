/** Reporter of `test-worker.ts`: sends the events to its parent. */
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** A test of this name follows the tests of a file, so that its result comes after theirs. */
export const END_OF_FILE = '· end of file'

const SENT = new Set(['test:start', 'test:pass', 'test:fail', 'test:diagnostic'])

type Failure = Error & { failureType?: string }

/** An error loses its fields between processes, so it travels as the text that a report shows. */
function withErrorText({ type, data }: TestEvent): object {
  if (type !== 'test:fail') return { type, data }
  const { error, ...details } = data.details as { error: Failure }
  const failure = { text: inspect(error.cause ?? error), failureType: error.failureType }
  return { type, data: { ...data, details: { ...details, failure } } }
}

export default async function* send(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (SENT.has(event.type) && process.connected) process.send?.(withErrorText(event))
  }
  yield ''
}
