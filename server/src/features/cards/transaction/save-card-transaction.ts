import { formatId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { insertCardEntries, saveCardEntry } from '../../transactions/index.ts'
import { insertRows, saveRow, type CardTransactionRow } from './store.ts'
import { toEntry } from './wire.ts'

const listed = ({ platformId, transaction }: CardTransactionRow) => ({
  platformId,
  entry: toEntry(transaction),
  accountIdentifier: formatId('internalAccount', transaction.accountId),
})

/** What it is made of, and how it is listed; both are written with the commit. */
export function insertCardTransactions(tx: Tx, rows: readonly CardTransactionRow[]): void {
  insertRows(tx, rows)
  insertCardEntries(tx, rows.map(listed))
}

export function saveCardTransaction(tx: Tx, row: CardTransactionRow): void {
  saveRow(tx, row)
  saveCardEntry(tx, listed(row))
}
