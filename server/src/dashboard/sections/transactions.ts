import {
  CARD_TRANSACTION_STATUSES,
  TRANSACTION_STATUSES,
} from '../../features/transactions/index.ts'
import {
  idColumn,
  inWords,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  textIn,
  timeColumn,
} from '../cells.ts'
import type { Choice, Section } from '../section.ts'
import { RECEIVED, SENT, titleOf, transactionView } from './transaction-view.ts'

const choices = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: inWords(value) }))

export const transactions: Section = {
  path: 'transactions',
  title: 'Transactions',
  about: 'Every movement of money, newest first. Declined card payments are shown if asked for.',
  idOf: (row) => textIn(row, 'id'),
  list: {
    command: 'transactions list',
    caption: 'Transactions, newest first',
    byPlatform: true,
    filters: [
      {
        name: 'status',
        label: 'Status',
        choices: choices([...new Set([...TRANSACTION_STATUSES, ...CARD_TRANSACTION_STATUSES])]),
      },
      { name: 'type', label: 'Type', choices: choices(['INCOMING', 'OUTGOING', 'CARD']) },
      { name: 'customer', label: 'Customer', placeholder: 'Customer:…' },
    ],
    columns: [
      idColumn('Transaction', 'id'),
      statusColumn('Status', 'status'),
      statusColumn('Type', 'type'),
      SENT,
      RECEIVED,
      textColumn('Customer', 'platformCustomerId'),
      PLATFORM_COLUMN,
      timeColumn('Begun', 'createdAt'),
    ],
    empty: 'No transaction is like this.',
    limit: 50,
    older: { option: 'before', of: (row) => textIn(row, 'id') },
  },
  detail: { command: 'transactions show', title: titleOf, body: transactionView },
}
