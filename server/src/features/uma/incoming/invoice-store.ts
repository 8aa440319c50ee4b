import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

type Sought = Readonly<{ invoice: string; exceptFor?: Id<'transaction'> }>

/**
 * Whether a payment is under way or made by this invoice of another provider, on any platform. Each of two payments that
 * are handed over at once sees the other, since it was debited before: never both go on.
 */
export async function isInvoiceTaken(tx: Tx, { invoice, exceptFor }: Sought): Promise<boolean> {
  const { isTaken } = await tx.one<{ isTaken: boolean }>(
    sql`select exists (
          select from transactions
          where platform_id = any(array(select id from platforms)) and reconciliation_reference = ${invoice}
            and id is distinct from ${exceptFor ?? null} and status in ('PROCESSING', 'COMPLETED')
        ) as is_taken`,
  )
  return isTaken
}
