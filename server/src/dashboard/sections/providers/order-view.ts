/** The page of an order: why it waits, what was sent, and what its provider said. */
import type { Answer } from '../../../operator/command.ts'
import type { orderCommands } from '../../../operator/commands/providers/orders.ts'
import { html, type Html } from '../../../pages/html.ts'
import {
  ageColumn,
  inWords,
  moneyColumn,
  moneyCell,
  NOTHING,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { tableView } from '../../cells/table-view.ts'
import { pageOf } from '../../screens/list-page.ts'
import type { Column, Visit } from '../../section.ts'
import { historyView } from '../waiting.ts'
import { linesView } from './statements.ts'
import { WAITING_WORDS } from './words.ts'

export type OrderLine = Answer<typeof orderCommands.list>[number]
export type OrderPage = Answer<typeof orderCommands.show>

export const WAITING: Column<Pick<OrderLine, 'waitingFor'>> = {
  title: 'Waits for',
  cell: ({ waitingFor }) => (waitingFor === undefined ? NOTHING : WAITING_WORDS[waitingFor]),
}

/** Where an order stands in a table on the page of its provider; its type leads to it. */
export const OWN_ORDER_COLUMNS: readonly Column<OrderLine>[] = [
  {
    title: 'Order',
    cell: ({ type, orderId }, visit) =>
      html`<a href="${pageOf(visit, { path: 'orders', id: orderId })}">${inWords(type)}</a>`,
  },
  statusColumn('State', 'state'),
  moneyColumn('Amount'),
  WAITING,
  ageColumn('Since', 'createdAt'),
]

/** By its name, which leads to its page. */
export const PROVIDER: Column<Readonly<{ provider?: string }>> = {
  title: 'Provider',
  cell: ({ provider }, visit) =>
    provider === undefined
      ? 'Removed'
      : html`<a href="${pageOf(visit, { path: 'providers', id: provider })}">${provider}</a>`,
}

export const ORDER_COLUMNS: readonly Column<OrderLine>[] = [...OWN_ORDER_COLUMNS, PROVIDER]

/** Amounts of an order are in the currency of the order. */
export const orderAmount = (
  title: string,
  name: 'settledAmount' | 'returnedAmount',
): Column<OrderPage> => ({
  title,
  cell: (row) =>
    row[name] === undefined || row[name] === 0
      ? NOTHING
      : moneyCell({ amount: row[name], currency: row.currency }),
})

const REPORTS: readonly Column<OrderPage['reports'][number]>[] = [
  textColumn('Number', 'sequence'),
  statusColumn('State', 'report', 'state'),
  statusColumn('Outcome', 'status'),
  timeColumn('Received', 'receivedAt'),
  {
    title: 'Content',
    cell: ({ report }) => html`<div>${linesView(report, ['State', 'Report number'])}</div>`,
  },
]

const EXCEPTIONS: readonly Column<OrderPage['exceptions'][number]>[] = [
  {
    title: 'Exception',
    cell: ({ type, exceptionId }, visit) =>
      html`<a href="${pageOf(visit, { path: 'exceptions', id: exceptionId })}"
        >${inWords(type)}</a
      >`,
  },
  statusColumn('Status', 'status'),
]

export async function orderView(row: OrderPage, visit: Visit): Promise<Html> {
  const { exceptions, reports, outsideFees, proofs, orderId } = row
  return html`${
    exceptions.length === 0
      ? ''
      : tableView({ title: 'Exceptions', columns: EXCEPTIONS, rows: exceptions, empty: '' }, visit)
  }
  ${tableView(
    {
      title: 'Reports',
      columns: REPORTS,
      rows: reports,
      empty: 'The provider has reported nothing yet.',
    },
    visit,
  )}
  ${
    proofs === undefined
      ? ''
      : html`<h2>Proofs</h2>
          <div class="facts">${linesView(proofs)}</div>`
  }
  ${
    outsideFees.length === 0
      ? ''
      : html`<h2>Fees that the provider charged us</h2>
          <div class="facts">${linesView({ charged: outsideFees })}</div>`
  }
  ${await historyView({ resources: [orderId], visit })}`
}
