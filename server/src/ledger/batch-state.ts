import type { Book } from './book.ts'

/**
 * What a batch keeps beside balances: made on first use, seen by every command of the batch, of whatever kind, as the
 * ones before it left it, and gone with the batch.
 */
export function batchState<T>(make: () => T): (book: Book) => T {
  const states = new WeakMap<Book, T>()
  return (book) => {
    let state = states.get(book)
    if (state === undefined) {
      state = make()
      states.set(book, state)
    }
    return state
  }
}
