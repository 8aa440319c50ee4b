import {
  CARD_TRANSACTION_STATUSES,
  TRANSACTION_STATUSES,
} from '../../../features/transactions/index.ts'
import { html, type Html } from '../../../pages/html.ts'
import { inWords, PLATFORM_COLUMN, statusColumn, timeColumn } from '../../cells/cells.ts'
import { pageOf } from '../../screens/list-page.ts'
import type { Choice, Column, Section } from '../../section.ts'
import { RECEIVED, SENT, titleOf, transactionView } from './transaction-view.ts'
import { transactionCommands } from '../../../operator/commands/money/transactions.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof transactionCommands.list>[number]
type Shown = Answer<typeof transactionCommands.show>

const tailOf = (id: string): Html => html`<code class="id" title="${id}">…${id.slice(-8)}</code>`

const choices = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: inWords(value) }))

/** Among its like an id is known by its end. */
const TRANSACTION: Column<Line> = { title: 'Transaction', cell: ({ id }) => tailOf(id) }

const CUSTOMER: Column<Line> = {
  title: 'Customer',
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
      { name: 'customer', label: 'Customer', placeholder: 'Customer:…' },
    ],
    columns: [
      TRANSACTION,
      statusColumn('Status', 'status'),
      statusColumn('Type', 'type'),
      SENT,
      RECEIVED,
      CUSTOMER,
      PLATFORM_COLUMN,
      timeColumn('Created', 'createdAt'),
    ],
    empty: 'No transaction is like this.',
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
