import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { parseLedgerAccount, type LedgerAccount } from '../chart.ts'

export type JournalLine = Readonly<{
  journalId: string
  type: string
  at: Date
  account: LedgerAccount
  currency: string
  amount: bigint
  /** Null for `summed` accounts. */
  balanceAfter: bigint | null
}>

type StoredLine = Omit<JournalLine, 'account'> & Readonly<{ account: string }>

/** The ledger entries under these references, oldest first. */
export async function listJournalLines(
  tx: Tx,
  platformId: Id<'platform'>,
  references: readonly string[],
): Promise<JournalLine[]> {
  const lines = await tx.many<StoredLine>(
    sql`select j.id as journal_id, j.type, j.at, e.account, e.currency, e.amount, e.balance_after
        from ledger_journals j
        join ledger_entries e on e.platform_id = j.platform_id and e.journal_id = j.id
        where j.platform_id = ${platformId} and j.reference = any(${references}::text[])
        order by e.position`,
  )
  return lines.map((line) => ({ ...line, account: parseLedgerAccount(line.account) }))
}
