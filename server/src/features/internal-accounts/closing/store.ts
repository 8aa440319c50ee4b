import type { Id } from '../../../kernel/ids.ts'
import type { WaitingPage } from '../../../kernel/page.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { afterPlace, countWaiting, ofPlatforms } from '../../../infra/db/list-rows.ts'

/** Why only the operator can move a balance. */
export type ReturnCause = 'DELETED' | 'REJECTED' | 'CLOSED'

/** A balance that only the operator can move (IACC-18). */
type ReturnableBalance = Readonly<{
  platformId: Id<'platform'>
  accountId: Id<'internalAccount'>
  customerId: Id<'customer'>
  cause: ReturnCause
  available: bigint
  currency: string
  /** When the customer was rejected or deleted, by its platform's clock. */
  since: Date
}>

/** Accounts are closed only with their customers, so a search by customers finds all of them. */
const RETURNABLE = sql`
  select c.platform_id, a.id as account_id, c.id as customer_id,
    case when c.is_deleted then 'DELETED' else 'REJECTED' end as cause, b.amount as available, a.currency,
    case when c.is_deleted then c.updated_at else coalesce(c.status_changed_at, c.updated_at) end as since
  from customers c
  join internal_accounts a on a.platform_id = c.platform_id and a.customer_id = c.id
  join ledger_balances b on b.platform_id = a.platform_id and b.account = 'IA:' || a.id || ':available'
    and b.currency = a.currency and b.amount > 0
  where (c.is_deleted or c.status = 'REJECTED')`

/** Spans all platforms, oldest first, so only the operator may read it. */
const returnable = ({ platformIds, after, limit }: WaitingPage): Sql =>
  sql`select * from (${RETURNABLE} ${ofPlatforms(platformIds, sql`c.platform_id`)}) r
      where true ${afterPlace(after, sql`r.since, r.account_id`)}
      order by r.since, r.account_id limit ${limit}`

export const listReturnable = (tx: Tx, page: WaitingPage): Promise<ReturnableBalance[]> =>
  tx.many<ReturnableBalance>(returnable(page))

export const countReturnable = (tx: Tx, bound: { atMost: number }): Promise<number> =>
  countWaiting(tx, returnable, bound)

/** The balance of one account, where it is returnable. */
export const findReturnable = (
  tx: Tx,
  platformId: Id<'platform'>,
  accountId: Id<'internalAccount'>,
): Promise<ReturnableBalance | undefined> =>
  tx.maybe<ReturnableBalance>(
    sql`${RETURNABLE} and c.platform_id = ${platformId} and a.id = ${accountId}`,
  )

type NewReturn = Readonly<{
  reference: string
  accountId: Id<'internalAccount'>
  reason: string
  at: Date
}>

/** Answers false where the platform already has a return with this reference. */
export async function insertReturn(
  tx: Tx,
  platformId: Id<'platform'>,
  { reference, accountId, reason, at }: NewReturn,
): Promise<boolean> {
  const inserted = await tx.run(
    sql`insert into balance_returns (platform_id, reference, account_id, reason, returned_at)
        values (${platformId}, ${reference}, ${accountId}, ${reason}, ${at})
        on conflict (platform_id, reference) do nothing`,
  )
  return inserted === 1
}
