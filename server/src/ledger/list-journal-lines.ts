import type { Id } from '../kernel/ids.ts'
import { sql } from '../infra/db/sql.ts'
import type { Tx } from '../infra/db/tx.ts'
import type { LedgerAccount } from './chart.ts'

export type JournalLine = Readonly<{
  journalId: string
  type: string
  at: Date
  account: LedgerAccount
  currency: string
  amount: bigint
  /** Null on accounts that are only summed. */
  balanceAfter: bigint | null
}>

/** What was booked under these references, in the order in which it was. */
export const listJournalLines = (
  tx: Tx,
  platformId: Id<'platform'>,
  references: readonly string[],
): Promise<JournalLine[]> =>
  tx.many<JournalLine>(
    sql`select j.id as journal_id, j.type, j.at, e.account, e.currency, e.amount, e.balance_after
        from ledger_journals j
        join ledger_entries e on e.platform_id = j.platform_id and e.journal_id = j.id
        where j.platform_id = ${platformId} and j.reference = any(${references}::text[])
        order by e.position`,
  )
