import type { Id } from '../../kernel/ids.ts'
import type { Environment } from '../../kernel/platform.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import { ofPlatforms } from '../../infra/db/list-rows.ts'
import type { Tx } from '../../infra/db/tx.ts'
import {
  LOSS_PROVIDERS,
  RECEIVABLE_PLATFORM,
  STORED_ACCOUNTS,
  SUSPENSE_REFUND_FAILED,
  SUSPENSE_UNATTRIBUTED,
} from '../chart.ts'

export type ClassBalance = Readonly<{
  environment: Environment
  /** An account of the chart without its id, such as IA:available. */
  accountClass: string
  currency: string
  accounts: number
  /** Decimal text: a sum may be wider than any integer of the database. */
  amount: string
}>

/** `IA:<id>:available` is of the class `IA:available`. */
const CLASS = sql`regexp_replace(account, ':[0-9a-f]{8}-[0-9a-f-]{27}', '')`

const byClass = (from: Sql, platformIds: readonly Id<'platform'>[] | null): Sql =>
  sql`select p.environment, ${CLASS} as account_class, b.currency, count(distinct (b.platform_id, account))::int as accounts,
        sum(b.amount)::text as amount
      from ${from} b join platforms p on p.id = b.platform_id
      where true ${ofPlatforms(platformIds, sql`p.id`)}
      group by 1, 2, 3 having sum(b.amount) <> 0`

/** Unallocated money and the debts of platforms: a few rows of each platform, found by their key. */
export const sumExceptions = (
  tx: Tx,
  platformIds: readonly Id<'platform'>[] | null,
): Promise<ClassBalance[]> => {
  const names = [SUSPENSE_REFUND_FAILED, SUSPENSE_UNATTRIBUTED, RECEIVABLE_PLATFORM, LOSS_PROVIDERS]
  const rows = sql`(select b.* from platforms p cross join lateral (
      select * from ledger_balances where platform_id = p.id and account = any(${names}::text[])) b)`
  return tx.many<ClassBalance>(sql`${byClass(rows, platformIds)} order by 1, 2, 3`)
}

/** Every class of the chart. Reads the whole book, so it runs on request only. */
export const sumBalances = (
  tx: Tx,
  platformIds: readonly Id<'platform'>[] | null,
): Promise<ClassBalance[]> => {
  const summed = sql`(select platform_id, account, currency, sum(amount) as amount from ledger_entries
    where account !~ ${STORED_ACCOUNTS} group by 1, 2, 3)`
  return tx.many<ClassBalance>(
    sql`${byClass(sql`ledger_balances`, platformIds)} union all ${byClass(summed, platformIds)} order by 1, 2, 3`,
  )
}
