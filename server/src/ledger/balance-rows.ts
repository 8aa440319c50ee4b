import type { Id } from '../kernel/ids.ts'
import { given, type Columns } from '../infra/db/given.ts'
import { sql, type Sql } from '../infra/db/sql.ts'
import type { Tx } from '../infra/db/tx.ts'
import type { LedgerAccount } from './chart.ts'

/** One balance: an account of one platform's book in one currency. */
export type BalanceKey = Readonly<{
  platformId: Id<'platform'>
  account: LedgerAccount
  currency: string
}>

export type BalanceRow = BalanceKey & Readonly<{ amount: bigint }>

/** One text for one balance, by which maps know it. */
export const nameOf = ({ platformId, account, currency }: BalanceKey): string =>
  `${platformId}|${account}|${currency}`

const KEY: Columns<BalanceKey> = {
  platform_id: ['uuid', (key) => key.platformId],
  account: ['text', (key) => key.account],
  currency: ['text', (key) => key.currency],
}
const KNOWN: Columns<BalanceRow> = { ...KEY, expected: ['bigint', (row) => row.amount] }
const CHANGE: Columns<BalanceChange> = { ...KEY, change: ['bigint', (row) => row.change] }

const keyColumns = (keys: readonly BalanceKey[]): Sql => given('k', KEY, keys)

/** In one order everywhere, so that two transactions never wait for each other. */
export const lockBalances = (tx: Tx, keys: readonly BalanceKey[]): Promise<BalanceRow[]> =>
  tx.many<BalanceRow>(
    sql`select b.platform_id, b.account, b.currency, b.amount
        from ledger_balances b join ${keyColumns(keys)} using (platform_id, account, currency)
        order by b.platform_id, b.account, b.currency for no key update of b`,
  )

/**
 * Locks balances in the same order, and fails with a division by zero unless they all are as given. It travels with the
 * writes that rest on them, so nobody waits for its answer; a statement has no plainer way to stop those behind it.
 * They are compared when they are locked: one that is being changed is as its change left it by then.
 */
export const lockIfUnchanged = (rows: readonly BalanceRow[]): Sql =>
  sql`select 1 / (count(*) filter (where amount = expected) = ${rows.length}::bigint)::integer from (
        select b.amount, k.expected from ledger_balances b
        join ${given('k', KNOWN, rows)} using (platform_id, account, currency)
        order by b.platform_id, b.account, b.currency for no key update of b) held`

const DIVISION_BY_ZERO = '22012'

export const isStaleBalance = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === DIVISION_BY_ZERO

export const readBalances = (tx: Tx, keys: readonly BalanceKey[]): Promise<BalanceRow[]> =>
  keys.length === 0
    ? Promise.resolve([])
    : tx.many<BalanceRow>(
        sql`select b.platform_id, b.account, b.currency, b.amount
            from ledger_balances b join ${keyColumns(keys)} using (platform_id, account, currency)`,
      )

/** Rows of zero for balances that have none yet, so that there is something to lock. */
export const openBalances = (keys: readonly BalanceKey[]): Sql =>
  sql`insert into ledger_balances (platform_id, account, currency, amount)
      select k.platform_id, k.account, k.currency, 0 from ${keyColumns(keys)}
      order by 1, 2, 3 on conflict do nothing`

export type BalanceChange = BalanceKey & Readonly<{ change: bigint }>

export const changeColumns = (changes: readonly BalanceChange[]): Sql => given('c', CHANGE, changes)
