import type { Keyring } from '../../crypto/keyring.ts'
import type { Sql } from './statement/sql.ts'

export type WriteCallbacks = Readonly<{
  /** Called when the statement has run, before the commit. */
  onRun?: () => void
  /** Called with the number of rows written, at the latest with the commit. */
  onCount?: (count: number) => void
}>

/**
 * Runs statements inside one transaction, or (for reads) each by itself. Rows come back with camelCase keys,
 * int8 as bigint, timestamptz as Date, date as text.
 */
export type Tx = Readonly<{
  /** For stores that seal columns. */
  keyring: Keyring
  /** Exactly one row; anything else is a bug. */
  one<R>(query: Sql): Promise<R>
  maybe<R>(query: Sql): Promise<R | undefined>
  /** At most one row, looked up by its key. Outside of a transaction look-ups of several requests share a round trip. */
  find<R>(query: Sql): Promise<R | undefined>
  many<R>(query: Sql): Promise<R[]>
  /** Returns the number of rows written. */
  run(query: Sql): Promise<number>
  /**
   * Queues a write whose result is not awaited. It is sent with the commit, in the same round trip, in the order of the
   * calls; if it fails, the whole transaction fails.
   */
  queueWrite(query: Sql, callbacks?: WriteCallbacks): void
  /** Runs the queued writes now, where later statements of the transaction must see them. */
  flush(): Promise<void>
}>
