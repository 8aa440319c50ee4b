import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

type PlatformId = Id<'platform'>
type CustomerId = Id<'customer'>

export type Clearings = Readonly<{
  /** When the failed attempts were last cleared, oldest first. */
  clearedAt: readonly Date[]
  /** When the latest factor reset was completed. */
  resetCompletedAt: Date | null
}>

export async function findClearings(
  tx: Tx,
  platformId: PlatformId,
  customerId: CustomerId,
): Promise<Clearings> {
  const { clearedAt, resetCompletedAt } = await tx.one<{
    clearedAt: Date[] | null
    resetCompletedAt: Date | null
  }>(
    sql`select
          (select s.cleared_at from sca_states s
           where s.platform_id = ${platformId} and s.customer_id = ${customerId}) as cleared_at,
          (select max(r.completed_at) from sca_resets r
           where r.platform_id = ${platformId} and r.customer_id = ${customerId}) as reset_completed_at`,
  )
  return { clearedAt: clearedAt ?? [], resetCompletedAt }
}

export function saveClearings(
  tx: Tx,
  platformId: PlatformId,
  { customerId, clearedAt }: { customerId: CustomerId; clearedAt: readonly Date[] },
): void {
  tx.queueWrite(
    sql`insert into sca_states (platform_id, customer_id, cleared_at)
        values (${platformId}, ${customerId}, ${clearedAt}::timestamptz[])
        on conflict (platform_id, customer_id) do update set cleared_at = excluded.cleared_at`,
  )
}
