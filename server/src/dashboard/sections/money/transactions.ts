import {
  CARD_TRANSACTION_STATUSES,
  TRANSACTION_STATUSES,
} from '../../../features/transactions/index.ts'
import { html } from '../../../pages/html.ts'
import {
  PARTIES_COLUMN,
  PLATFORM_COLUMN,
  statusColumn,
  tailOf,
  timeColumn,
} from '../../cells/cells.ts'
import { pageOf } from '../../screens/list-page.ts'
import type { Column, Section } from '../../section.ts'
import {
  AMOUNT_FILTERS,
  choices,
  CUSTOMER_FILTER,
  PERIOD_FILTERS,
  RAIL_FILTER,
} from '../filters.ts'
import { RECEIVED, SENT, titleOf, transactionView } from './transaction-view.ts'
import { transactionCommands } from '../../../operator/commands/money/transactions.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof transactionCommands.list>[number]
type Shown = Answer<typeof transactionCommands.show>

const TRANSACTION: Column<Line> = {
  title: 'Transaction',
  plain: ({ id }) => id,
  cell: ({ id }) => tailOf(id),
}

const CUSTOMER: Column<Line> = {
  title: 'Customer',
  plain: ({ customerId }) => customerId,
  cell: ({ customerId: id }, visit) => {
    if (!id.startsWith('Customer:')) return 'The platform itself'
    return html`<a href="${pageOf(visit, { path: 'customers', id })}">${tailOf(id)}</a>`
  },
}

export const transactions: Section<Line, Shown> = {
  path: 'transactions',
  title: 'Transactions',
  about: 'Every movement of money, newest first. Declined card payments are shown if asked for.',
  idOf: ({ id }) => id,
  list: {
    command: transactionCommands.list,
    caption: 'Transactions, newest first',
    byPlatform: true,
    filters: [
      {
        name: 'status',
        label: 'Status',
        choices: choices([...new Set([...TRANSACTION_STATUSES, ...CARD_TRANSACTION_STATUSES])]),
      },
      { name: 'type', label: 'Type', choices: choices(['INCOMING', 'OUTGOING', 'CARD']) },
      CUSTOMER_FILTER,
      ...PERIOD_FILTERS,
      ...AMOUNT_FILTERS,
      RAIL_FILTER,
    ],
    columns: [
      TRANSACTION,
      PARTIES_COLUMN,
      statusColumn('Status', 'status'),
      statusColumn('Type', 'type'),
      SENT,
      RECEIVED,
      CUSTOMER,
      PLATFORM_COLUMN,
      timeColumn('Created', 'createdAt'),
    ],
    empty: 'No transaction is like this.',
    live: 'transactions',
    limit: 50,
    older: { option: 'before', of: ({ id }) => id },
  },
  detail: {
    command: transactionCommands.show,
    title: titleOf,
    body: transactionView,
    timelineOf: ({ transaction }) => transaction.id,
  },
}
