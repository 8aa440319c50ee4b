import type { Id } from '../../../kernel/ids.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { SettledLeg } from './leg.ts'

export type LegOutcome = 'CONFIRMED' | 'FAILED'

/** A settled leg with its outside identifier (TXN-19). */
export type LegReference = Readonly<{
  leg: SettledLeg
  outcome: LegOutcome
  reference: string
  recordedAt: Date
}>

type NewLegReference = LegReference &
  Readonly<{ platformId: Id<'platform'>; transactionId: Id<'transaction'>; id: string }>

/** Queued for the commit. */
export function insertLegReference(tx: Tx, row: NewLegReference): void {
  const { platformId, transactionId, id, leg, outcome, reference, recordedAt } = row
  tx.queueWrite(
    sql`insert into settlement_references (platform_id, transaction_id, id, leg, outcome, reference, recorded_at)
        values (${platformId}, ${transactionId}, ${id}, ${leg}, ${outcome}, ${reference}, ${recordedAt})`,
  )
}

/** The references of one payment, in the order of settling. */
export const listLegReferences = (
  tx: Tx,
  platformId: Id<'platform'>,
  transactionId: Id<'transaction'>,
): Promise<LegReference[]> =>
  tx.many<LegReference>(
    sql`select leg, outcome, reference, recorded_at from settlement_references
        where platform_id = ${platformId} and transaction_id = ${transactionId} order by id`,
  )

/** The payments with a leg of this reference; as an array, so that an index finds them. */
export const isOfLegReference = (platformId: Id<'platform'> | Sql, reference: string): Sql =>
  sql`id = any(array(select r.transaction_id from settlement_references r
        where r.platform_id = ${platformId} and r.reference = ${reference}))`
