import type { Keyring } from '../../crypto/keyring.ts'
import type { Sql } from './statement/sql.ts'

export type Heard = Readonly<{
  /** Called when the statement has run, before the commit is known to have. */
  ran?: () => void
  /** Called with the number of rows written, at the latest with the commit. */
  counted?: (count: number) => void
}>

/**
 * Where statements run: inside one transaction, or (for reads) each by itself. Rows come back with camelCase keys,
 * int8 as bigint, timestamptz as Date, date as text.
 */
export type Tx = Readonly<{
  /** What stores seal and open rows with. */
  keyring: Keyring
  /** Exactly one row; anything else is a bug. */
  one<R>(query: Sql): Promise<R>
  maybe<R>(query: Sql): Promise<R | undefined>
  /** At most one row, looked up by its key. Outside of a transaction such look-ups of many requests go together. */
  find<R>(query: Sql): Promise<R | undefined>
  many<R>(query: Sql): Promise<R[]>
  /** The number of rows written. */
  run(query: Sql): Promise<number>
  /**
   * Queues a write whose result nobody waits for. It travels with the commit, in the same round trip, in the order
   * of the calls; if it fails, the whole transaction fails.
   */
  trail(query: Sql, heard?: Heard): void
  /** Runs what trails so far, where statements that follow in this transaction have to find it. */
  flush(): Promise<void>
}>
