import type { Book } from './book.ts'

/**
 * State beside balances that the commands of a batch share, across kinds. Each piece is identified by the function that
 * creates it at its first use, and lives as long as the batch.
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
