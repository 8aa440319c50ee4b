import type { Book } from './book.ts'

/**
 * What the commands of a batch leave for the ones after them, of any kind, beside balances. Each fact has a function
 * that makes it when it is first asked for, and goes with the batch.
 */
export type BatchState = <T>(make: () => T) => T

export type Batch = Readonly<{ book: Book; state: BatchState }>

export function newBatchState(): BatchState {
  const facts = new Map<() => unknown, unknown>()
  return <T>(make: () => T): T => {
    if (!facts.has(make)) facts.set(make, make())
    return facts.get(make) as T
  }
}
