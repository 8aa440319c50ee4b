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

/** Writes the transaction and its entry in the list of all transactions; both travel with the commit. */
export function insertCardTransactions(tx: Tx, rows: readonly CardTransactionRow[]): void {
  insertRows(tx, rows)
  insertCardEntries(tx, rows.map(listed))
}

export function saveCardTransaction(tx: Tx, row: CardTransactionRow): void {
  saveRow(tx, row)
  saveCardEntry(tx, listed(row))
}
