import { MINUTE_MS } from '../kernel/clock.ts'
import { sql, type Sql } from '../infra/db/sql.ts'

/** Nobody who asks begins later than this, unless the process that was to ask has died. */
const ASKED_WITHIN_MS = 10 * MINUTE_MS

/**
 * Whose turn it is among the events of a resource is decided under this lock, held to the end of the transaction:
 * otherwise a new event could wait for a predecessor that ends at the same moment without seeing it. It is held for
 * a few statements and never while anything is sent.
 */
export const lockTurns: Sql = sql`select pg_advisory_xact_lock(hashtextextended('florin event turns', 0))`

/**
 * When the first attempt of the event `turn` is due. One that is sent by whoever asks with it is taken over by the
 * asker; if none comes, the background finds that it failed, and later events of the resource go out.
 */
export const firstDueAt: Sql = sql`case when turn.sending = 'ASKED'
  then turn.at + ${ASKED_WITHIN_MS}::float8 * interval '1 millisecond' else turn.at end`
