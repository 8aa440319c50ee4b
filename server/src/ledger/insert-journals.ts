import type { Id } from '../kernel/ids.ts'
import { given, type Columns } from '../infra/db/statement/given.ts'
import { sql, type Sql } from '../infra/db/statement/sql.ts'
import { changeColumns, type BalanceChange, type BalanceKey } from './balances/balance-rows.ts'
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
  /** Balances with a locked row. */
  stored: BalanceChange[]
  /** A transaction's own balances, whose rows are new. */
  fresh: BalanceChange[]
  /** A transaction's own balances at zero, whose rows are deleted. */
  emptied: BalanceChange[]
}>

export function sortChanges(
  changes: ReadonlyMap<string, BalanceChange>,
  known: Readonly<{ balances: ReadonlyMap<string, bigint>; stored: ReadonlyMap<string, unknown> }>,
): SortedChanges {
  const sorted: SortedChanges = { stored: [], fresh: [], emptied: [] }
  for (const [name, change] of changes) {
    if (change.change === 0n) continue
    const isEmpty = isOfOneTransaction(change.account) && known.balances.get(name) === 0n
    if (!known.stored.has(name)) sorted.fresh.push(change)
    else if (isEmpty) sorted.emptied.push(change)
    else sorted.stored.push(change)
  }
  return sorted
}

type BookedRows = SortedChanges &
  Readonly<{ journals: readonly JournalRow[]; entries: readonly EntryRow[] }>

/** Most batches insert and delete no row, and then skip both statements. */
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
      using ${changeColumns(emptied)}
      where b.platform_id = c.platform_id and b.account = c.account and b.currency = c.currency
        and b.amount = -c.change
    )`

const JOURNAL: Columns<JournalRow> = {
  platform_id: ['uuid', (row) => row.platformId],
  id: ['uuid', (row) => row.id],
  type: ['text', (row) => row.journal.type],
  reference: ['text', (row) => row.journal.reference],
  at: ['timestamptz', (row) => row.at],
}

const ENTRY: Columns<EntryRow> = {
  platform_id: ['uuid', (row) => row.platformId],
  journal_id: ['uuid', (row) => row.journalId],
  line: ['smallint', (row) => row.line],
  account: ['text', (row) => row.account],
  currency: ['text', (row) => row.currency],
  amount: ['bigint', (row) => row.amount],
  balance_after: ['bigint', (row) => row.after],
}

/** The lines of one journal are few, and the same number each time for one kind of command. */
const LINES_PLAIN_MAX = 8

/** One statement for any number of journals. Balances change by their difference, never by assignment. */
export function insertJournals({ journals, entries, stored, fresh, emptied }: BookedRows): Sql {
  const plainMax = journals.length === 1 ? LINES_PLAIN_MAX : 0
  return sql`
    with new_journals as (
      insert into ledger_journals (platform_id, id, type, reference, at)
      select * from ${given('j', JOURNAL, journals)}
    ), new_entries as (
      insert into ledger_entries (platform_id, journal_id, line, account, currency, amount, balance_after)
      select * from ${given('e', ENTRY, entries, { plainMax })}
    )${insertFresh(fresh)}${deleteEmptied(emptied)}
    update ledger_balances b set amount = b.amount + c.change from ${changeColumns(stored)}
    where b.platform_id = c.platform_id and b.account = c.account and b.currency = c.currency`
}
