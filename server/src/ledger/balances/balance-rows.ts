import type { Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { parseLedgerAccount, type LedgerAccount } from '../chart.ts'

/** One balance: an account of one platform's book in one currency. */
export type BalanceKey = Readonly<{
  platformId: Id<'platform'>
  account: LedgerAccount
  currency: string
}>

export type BalanceRow = BalanceKey & Readonly<{ amount: bigint }>

type StoredRow = Omit<BalanceRow, 'account'> & Readonly<{ account: string }>

const fromRow = (row: StoredRow): BalanceRow => ({
  ...row,
  account: parseLedgerAccount(row.account),
})

/** Identifies a balance in a map. */
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

/** Locks balances in the order of their keys, as every transaction does, so that there is no deadlock. */
export async function lockBalances(tx: Tx, keys: readonly BalanceKey[]): Promise<BalanceRow[]> {
  const rows = await tx.many<StoredRow>(
    sql`select b.platform_id, b.account, b.currency, b.amount
        from ledger_balances b join ${keyColumns(keys)} using (platform_id, account, currency)
        order by b.platform_id, b.account, b.currency for no key update of b`,
  )
  return rows.map(fromRow)
}

/**
 * Locks balances in the same order, and fails with a division by zero unless all have the expected amounts. It is sent
 * with the writes that depend on it, which saves a round trip; only an error keeps the server from running them. Amounts
 * are compared after the lock, so a concurrent change counts.
 */
export const lockIfUnchanged = (rows: readonly BalanceRow[]): Sql =>
  sql`select 1 / (count(*) filter (where amount = expected) = ${rows.length}::bigint)::integer from (
        select b.amount, k.expected from ledger_balances b
        join ${given('k', KNOWN, rows)} using (platform_id, account, currency)
        order by b.platform_id, b.account, b.currency for no key update of b) held`

const DIVISION_BY_ZERO = '22012'

export const isStaleBalance = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === DIVISION_BY_ZERO

export async function readBalances(tx: Tx, keys: readonly BalanceKey[]): Promise<BalanceRow[]> {
  if (keys.length === 0) return []
  const rows = await tx.many<StoredRow>(
    sql`select b.platform_id, b.account, b.currency, b.amount
        from ledger_balances b join ${keyColumns(keys)} using (platform_id, account, currency)`,
  )
  return rows.map(fromRow)
}

/** Inserts rows of zero for balances without a row, so that they can be locked. */
export const openBalances = (keys: readonly BalanceKey[]): Sql =>
  sql`insert into ledger_balances (platform_id, account, currency, amount)
      select k.platform_id, k.account, k.currency, 0 from ${keyColumns(keys)}
      order by 1, 2, 3 on conflict do nothing`

export type BalanceChange = BalanceKey & Readonly<{ change: bigint }>

export const changeColumns = (changes: readonly BalanceChange[]): Sql => given('c', CHANGE, changes)
