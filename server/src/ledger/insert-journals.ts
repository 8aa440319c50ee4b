import type { Id } from '../kernel/ids.ts'
import { sql, type Sql } from '../infra/db/sql.ts'
import { changeColumns, type BalanceChange, type BalanceKey } from './balance-rows.ts'
import { isOfOneTransaction } from './chart.ts'
import type { Journal } from './posting.ts'

export type JournalRow = Readonly<{
  platformId: Id<'platform'>
  at: Date
  journal: Journal
  id: string
}>
export type EntryRow = BalanceKey &
  Readonly<{ journalId: string; line: number; amount: bigint; after: bigint | null }>

type SortedChanges = Readonly<{
  /** Balances that have a row, which is locked. */
  stored: BalanceChange[]
  /** A transaction's own, whose row is made now. */
  fresh: BalanceChange[]
  /** A transaction's own, on which nothing is left: its row goes. */
  emptied: BalanceChange[]
}>

export function sortChanges(
  changes: ReadonlyMap<string, BalanceChange>,
  known: Readonly<{ balances: ReadonlyMap<string, bigint>; storedNames: ReadonlySet<string> }>,
): SortedChanges {
  const sorted: SortedChanges = { stored: [], fresh: [], emptied: [] }
  for (const [name, change] of changes) {
    if (change.change === 0n) continue
    const isEmpty = isOfOneTransaction(change.account) && known.balances.get(name) === 0n
    if (!known.storedNames.has(name)) sorted.fresh.push(change)
    else if (isEmpty) sorted.emptied.push(change)
    else sorted.stored.push(change)
  }
  return sorted
}

type Written = SortedChanges &
  Readonly<{ journals: readonly JournalRow[]; entries: readonly EntryRow[] }>

/** Most batches make and remove no row, and then do not pay for the two statements that would. */
const insertFresh = (fresh: readonly BalanceChange[]): Sql =>
  fresh.length === 0
    ? sql.empty
    : sql`, new_balances as (
      insert into ledger_balances (platform_id, account, currency, amount)
      select * from ${changeColumns(fresh)}
    )`

const deleteEmptied = (emptied: readonly BalanceChange[]): Sql =>
  emptied.length === 0
    ? sql.empty
    : sql`, old_balances as (
      delete from ledger_balances b
      using ${changeColumns(emptied)} as c(platform_id, account, currency, change)
      where b.platform_id = c.platform_id and b.account = c.account and b.currency = c.currency
        and b.amount = -c.change
    )`

/** One statement whatever the number of journals. Balances change by their difference, never by assignment. */
export function insertJournals({ journals, entries, stored, fresh, emptied }: Written): Sql {
  return sql`
    with new_journals as (
      insert into ledger_journals (platform_id, id, type, reference, at)
      select * from unnest(${journals.map((row) => row.platformId)}::uuid[], ${journals.map((row) => row.id)}::uuid[],
        ${journals.map((row) => row.journal.type)}::text[], ${journals.map((row) => row.journal.reference)}::text[],
        ${journals.map((row) => row.at)}::timestamptz[])
    ), new_entries as (
      insert into ledger_entries (platform_id, journal_id, line, account, currency, amount, balance_after)
      select platform_id, journal_id, line, account, currency, amount, balance_after
      from unnest(${entries.map((row) => row.platformId)}::uuid[],
        ${entries.map((row) => row.journalId)}::uuid[], ${entries.map((row) => row.line)}::smallint[],
        ${entries.map((row) => row.account)}::text[], ${entries.map((row) => row.currency)}::text[],
        ${entries.map((row) => row.amount)}::bigint[], ${entries.map((row) => row.after)}::bigint[])
        with ordinality as e(platform_id, journal_id, line, account, currency, amount, balance_after, n)
      order by n
    )${insertFresh(fresh)}${deleteEmptied(emptied)}
    update ledger_balances b set amount = b.amount + c.change
    from ${changeColumns(stored)} as c(platform_id, account, currency, change)
    where b.platform_id = c.platform_id and b.account = c.account and b.currency = c.currency`
}
