import { sql, type Sql } from '../infra/db/sql.ts'

/**
 * Whose turn it is among the events of a resource is decided under this lock, held to the end of the transaction:
 * otherwise a new event could wait for a predecessor that ends at the same moment without seeing it. It is held for
 * a few statements and never while anything is sent.
 */
export const lockTurns: Sql = sql`select pg_advisory_xact_lock(hashtextextended('florin event turns', 0))`
