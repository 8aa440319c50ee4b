/** The page of a customer: who it is, what it has, and what happened lately. */
import { html, type Html } from '../../../pages/html.ts'
import { rowsOf, type Row } from '../../ask.ts'
import {
  badge,
  moneyColumn,
  NOTHING,
  statusColumn,
  textColumn,
  textIn,
  timeColumn,
  valueIn,
} from '../../cells.ts'
import { linkColumn } from '../../page-links.ts'
import { pageOf } from '../../list-page.ts'
import type { Column, Visit } from '../../section.ts'
import { tableView } from '../../table-view.ts'
import { linesOf } from '../record-lines.ts'
import { customerIdOf } from './review-file.ts'
import { eventsView, RECEIVED, SENT } from '../money/transaction-view.ts'
import { historyView } from '../waiting.ts'

const VERIFICATIONS: readonly Column[] = [
  linkColumn('Verification', 'id'),
  statusColumn('Status', 'verificationStatus'),
  {
    title: 'Outstanding',
    isFigure: true,
    cell: (row) => String(rowsOf(row['errors']).length),
  },
  timeColumn('Created', 'createdAt'),
  timeColumn('Last changed', 'updatedAt'),
]

const ACCOUNTS: readonly Column[] = [
  linkColumn('Account', 'id'),
  statusColumn('Status', 'status'),
  statusColumn('Type', 'type'),
  moneyColumn('Available', 'balance'),
  moneyColumn('Total', 'totalBalance'),
]

const PAYEES: readonly Column[] = [
  linkColumn('Account', 'id'),
  statusColumn('Status', 'status'),
  textColumn('Type', 'accountType'),
  textColumn('Currency', 'currency'),
  textColumn('Beneficiary', 'beneficiaryName'),
  {
    title: 'Number',
    cell: (row) => (textIn(row, 'endsWith') === '' ? NOTHING : `…${textIn(row, 'endsWith')}`),
  },
]

const CARDS: readonly Column[] = [
  {
    title: 'Card',
    cell: (row) =>
      textIn(row, 'last4') === ''
        ? 'Not issued'
        : `${textIn(row, 'brand')} •••• ${textIn(row, 'last4')}`,
  },
  statusColumn('State', 'state'),
  textColumn('Why', 'stateReason'),
  textColumn('Currency', 'currency'),
  linkColumn('Paid from', 'fundingSource'),
  timeColumn('Since', 'createdAt'),
]

const TRANSACTIONS: readonly Column[] = [
  linkColumn('Transaction', 'id'),
  statusColumn('Status', 'status'),
  statusColumn('Type', 'type'),
  SENT,
  RECEIVED,
  timeColumn('Created', 'createdAt'),
]

export async function customerView(row: Row, visit: Visit): Promise<Html> {
  const id = customerIdOf(row)
  const part = (title: string, name: string, columns: readonly Column[], empty: string): Html =>
    tableView({ title, columns, rows: rowsOf(row[name]), empty }, visit)
  const all = `/transactions?${new URLSearchParams({ customer: id })}`
  return html`${valueIn(row, 'customer', 'isDeleted') === true ? html`<p>${badge('DELETED')}</p>` : ''}
    <p><a class="button" href="${pageOf(visit, { path: 'reviews', id })}">Open its review</a></p>
    ${identityView(row)}
    ${part('Verifications', 'verifications', VERIFICATIONS, 'Nothing was submitted yet.')}
    ${part('Internal accounts', 'internalAccounts', ACCOUNTS, 'It has none.')}
    ${part('External accounts', 'externalAccounts', PAYEES, 'It has none.')}
    ${part('Cards', 'cards', CARDS, 'It has none.')}
    ${part('Latest transactions', 'transactions', TRANSACTIONS, 'It has none.')}
    <p class="paging small"><a href="${all}">All of its transactions</a></p>
    ${eventsView(row, visit)} ${await historyView({ resources: [id], visit })}`
}

/** As the review shows it, without numbers of a government. */
const identityView = (row: Row): Html =>
  html`<h2>Who it is</h2>
    <dl class="facts">
      ${linesOf(row['customer']).map(
        ({ label, value }) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value || NOTHING}</dd>
          </div>`,
      )}
    </dl>`
