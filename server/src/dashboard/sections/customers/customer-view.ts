/** The page of a customer: who it is, what it has, and what happened lately. */
import { html, type Html } from '../../../pages/html.ts'
import {
  badge,
  moneyColumn,
  NOTHING,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { linkColumn } from '../../page-links.ts'
import { pageOf } from '../../screens/list-page.ts'
import type { Column, Visit } from '../../section.ts'
import { tableView } from '../../cells/table-view.ts'
import { linesOf } from '../record-lines.ts'
import { eventsView, RECEIVED, SENT } from '../money/transaction-view.ts'
import { historyView } from '../waiting.ts'
import { type Answer } from '../../../operator/command.ts'
import { type customerCommands } from '../../../operator/commands/customers/customers.ts'

type Customer = Answer<typeof customerCommands.show>
type ColumnsOf<
  K extends 'verifications' | 'internalAccounts' | 'externalAccounts' | 'cards' | 'transactions',
> = readonly Column<Customer[K][number]>[]

const VERIFICATIONS: ColumnsOf<'verifications'> = [
  linkColumn('Verification', 'id'),
  statusColumn('Status', 'verificationStatus'),
  {
    title: 'Outstanding',
    isFigure: true,
    cell: ({ errors }) => String(errors.length),
  },
  timeColumn('Created', 'createdAt'),
  timeColumn('Last changed', 'updatedAt'),
]

const ACCOUNTS: ColumnsOf<'internalAccounts'> = [
  linkColumn('Account', 'id'),
  statusColumn('Status', 'status'),
  statusColumn('Type', 'type'),
  moneyColumn('Available', 'balance'),
  moneyColumn('Total', 'totalBalance'),
]

const PAYEES: ColumnsOf<'externalAccounts'> = [
  linkColumn('Account', 'id'),
  statusColumn('Status', 'status'),
  textColumn('Type', 'accountType'),
  textColumn('Currency', 'currency'),
  textColumn('Beneficiary', 'beneficiaryName'),
  {
    title: 'Number',
    cell: ({ endsWith }) => (endsWith === '' ? NOTHING : `…${endsWith}`),
  },
]

const CARDS: ColumnsOf<'cards'> = [
  {
    title: 'Card',
    cell: ({ brand = '', last4 }) =>
      last4 === undefined ? 'Not issued' : `${brand} •••• ${last4}`,
  },
  statusColumn('State', 'state'),
  textColumn('Why', 'stateReason'),
  textColumn('Currency', 'currency'),
  linkColumn('Paid from', 'fundingSource'),
  timeColumn('Since', 'createdAt'),
]

const TRANSACTIONS: ColumnsOf<'transactions'> = [
  linkColumn('Transaction', 'id'),
  statusColumn('Status', 'status'),
  statusColumn('Type', 'type'),
  SENT,
  RECEIVED,
  timeColumn('Created', 'createdAt'),
]

export async function customerView(row: Customer, visit: Visit): Promise<Html> {
  const { id, isDeleted } = row.customer
  const part = <R>(
    title: string,
    rows: readonly R[],
    columns: readonly Column<R>[],
    empty: string,
  ): Html => tableView({ title, columns, rows, empty }, visit)
  const all = `/transactions?${new URLSearchParams({ customer: id })}`
  return html`${isDeleted ? html`<p>${badge('DELETED')}</p>` : ''}
    <p><a class="button" href="${pageOf(visit, { path: 'reviews', id })}">Open its review</a></p>
    ${identityView(row)}
    ${part('Verifications', row.verifications, VERIFICATIONS, 'Nothing was submitted yet.')}
    ${accountsView(row, visit)}
    ${part('External accounts', row.externalAccounts, PAYEES, 'It has none.')}
    ${part('Cards', row.cards, CARDS, 'It has none.')}
    ${part('Latest transactions', row.transactions, TRANSACTIONS, 'It has none.')}
    <p class="paging small"><a href="${all}">All of its transactions</a></p>
    ${eventsView(row.events, visit)} ${await historyView({ resources: [id], visit })}`
}

/** Accounts without money are folded away, where others have some. */
function accountsView({ internalAccounts }: Customer, visit: Visit): Html {
  const hasMoney = ({ totalBalance }: Customer['internalAccounts'][number]): boolean =>
    totalBalance.amount !== 0
  const filled = internalAccounts.filter(hasMoney)
  const [shown, folded] =
    filled.length === 0
      ? [internalAccounts, []]
      : [filled, internalAccounts.filter((account) => !hasMoney(account))]
  const tableOf = (title: string, rows: Customer['internalAccounts']): Html =>
    tableView({ title, columns: ACCOUNTS, rows, empty: 'It has none.' }, visit)
  return html`${tableOf('Internal accounts', shown)}
  ${
    folded.length === 0
      ? ''
      : html`<details class="folded">
          <summary>Without money: ${String(folded.length)}</summary>
          ${tableOf('Internal accounts without money', folded)}
        </details>`
  }`
}

/** As the review shows it, without numbers of a government. */
const identityView = ({ customer }: Customer): Html =>
  html`<h2>Who it is</h2>
    <dl class="facts">
      ${linesOf(customer).map(
        ({ label, value }) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value || NOTHING}</dd>
          </div>`,
      )}
    </dl>`
