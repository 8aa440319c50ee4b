/** The page of a transaction: what happened to it, what was booked for it, and which events were sent. */
import { html, type Html } from '../../../pages/html.ts'
import {
  codeColumn,
  figureColumn,
  inWords,
  moneyColumn,
  moneyColumnOf,
  NOTHING,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  textIn,
  timeColumn,
  moneyCell,
} from '../../cells/cells.ts'
import { factsView } from '../../screens/detail-page.ts'
import { linkColumn, linkedId } from '../../page-links.ts'
import { pageOf } from '../../screens/list-page.ts'
import type { Column, Visit } from '../../section.ts'
import { readMoney, showMoney } from '../../cells/show-money.ts'
import { tableView } from '../../cells/table-view.ts'
import { historyView } from '../waiting.ts'
import { ORDER_COLUMNS } from '../providers/order-view.ts'
import { type Answer } from '../../../operator/command.ts'
import { settlementCommands } from '../../../operator/commands/money/settlements.ts'
import { orderCommands } from '../../../operator/commands/providers/orders.ts'
import { type transactionCommands } from '../../../operator/commands/money/transactions.ts'

export type ShownTransaction = Answer<typeof transactionCommands.show>
export type Transaction = ShownTransaction['transaction']
type Booked = Exclude<Transaction, { type: 'CARD' }>

/** A card's is what was authorized. */
export const SENT: Column<Transaction> = moneyColumnOf('Sent', (row) =>
  readMoney(row.type === 'CARD' ? row.authorizedAmount : row.sentAmount),
)

const NEVER_ARRIVED: readonly string[] = ['FAILED', 'REJECTED', 'EXPIRED']

/** Of a payment that failed nothing was received, whatever was to be. */
const receivedOf = (row: Transaction) =>
  row.type === 'CARD' || NEVER_ARRIVED.includes(row.status) ? undefined : row.receivedAmount

export const RECEIVED: Column<Transaction> = moneyColumnOf('Received', (row) =>
  readMoney(receivedOf(row)),
)

export function titleOf({ transaction }: ShownTransaction): string {
  const money = readMoney(
    transaction.type === 'CARD'
      ? transaction.authorizedAmount
      : (transaction.sentAmount ?? transaction.receivedAmount),
  )
  return [inWords(transaction.type), money && showMoney(money)].filter(Boolean).join(' ')
}

/** Only what there is to say. */
const present = <R>(facts: readonly Column<R>[], row: R, visit: Visit): Html => {
  const said = facts.filter((fact) => fact.cell(row, visit) !== NOTHING)
  return said.length === 0 ? html`` : factsView(said, row, visit)
}

/** In units of what was sent. */
const feeColumn = (
  title: string,
  feeOf: (row: Booked) => number | undefined,
): Column<Transaction> => ({
  title,
  cell: (row) =>
    row.type === 'CARD'
      ? NOTHING
      : moneyCell({ amount: feeOf(row), currency: row.sentAmount?.currency }),
})

const RATE: Column<Transaction> = {
  title: 'Rate',
  cell: (row) => {
    const rate = textIn(row, 'exchangeRate')
    if (rate === '') return NOTHING
    const [sent, received] = [
      textIn(row, 'sentAmount', 'currency', 'code'),
      textIn(row, 'receivedAmount', 'currency', 'code'),
    ]
    return `${rate} ${sent} for 1 ${received}`
  },
}

type Of = Transaction & Pick<ShownTransaction, 'platformId' | 'paymentReference'>

const WHAT_IT_IS: readonly Column<Of>[] = [
  statusColumn('Status', 'status'),
  statusColumn('Type', 'type'),
  statusColumn('Failure reason', 'failureReason'),
  statusColumn('Decline reason', 'declineReason'),
  statusColumn('Waits for', 'pendingReason'),
  PLATFORM_COLUMN,
  linkColumn('Customer', 'customerId'),
  textColumn('Platform customer id', 'platformCustomerId'),
  textColumn('Merchant', 'merchant', 'descriptor'),
  timeColumn('Created', 'createdAt'),
  timeColumn('Settlement expected', 'expectedSettlementAt'),
  timeColumn('Settled', 'settledAt'),
  timeColumn('Last changed', 'updatedAt'),
  textColumn('Rail', 'paymentRail'),
  textColumn('Description', 'description'),
  codeColumn('Payment reference', 'paymentReference'),
  codeColumn('Reconciliation reference', 'reconciliationInstructions', 'reference'),
  codeColumn('Agent', 'agentId'),
  codeColumn('Id', 'id'),
]

const AMOUNTS: readonly Column<Transaction>[] = [
  moneyColumn('Sent', 'sentAmount'),
  RECEIVED,
  feeColumn('Fees', ({ fees }) => fees),
  feeColumn('Platform fee', (row) => (row.type === 'OUTGOING' ? row.platformFees : undefined)),
  RATE,
  moneyColumn('Authorized', 'authorizedAmount'),
  moneyColumn('Settled', 'settledAmount'),
  moneyColumn('Refunded', 'refundedAmount'),
]

const REFUND: readonly Column<NonNullable<Booked['refund']>>[] = [
  statusColumn('Status', 'status'),
  statusColumn('Reason', 'reason'),
  codeColumn('Reference', 'reference'),
  timeColumn('Created', 'initiatedAt'),
  timeColumn('Settled', 'settledAt'),
]

const QUOTE: readonly Column<NonNullable<ShownTransaction['quote']>>[] = [
  statusColumn('Status', 'status'),
  timeColumn('Made', 'createdAt'),
  timeColumn('Held until', 'expiresAt'),
  codeColumn('Id', 'id'),
]

export async function transactionView(row: ShownTransaction, visit: Visit): Promise<Html> {
  const { transaction, journals, events, quote, ...place } = row
  const of: Of = { ...transaction, ...place }
  const refund = transaction.type === 'CARD' ? undefined : transaction.refund
  return html`${await doingsView(of, visit)} ${present(WHAT_IT_IS, of, visit)}
    <h2>Amounts</h2>
    ${present(AMOUNTS, of, visit)} ${sidesView(of, visit)} ${await ordersView(of, visit)}
    ${partView('Refund', REFUND, refund, visit)} ${partView('Quote', QUOTE, quote, visit)}
    ${journalsView(journals, visit)} ${eventsView(events, visit)}
    ${await historyView({ resources: [of.id], visit })}
    <p class="paging small"><a href="${auditOf(of)}">All changes in the audit</a></p>`
}

/** What a provider outside was asked to do for it; nothing is shown where none was. */
async function ordersView({ type, id: transaction }: Of, visit: Visit): Promise<Html> {
  if (type === 'CARD') return html``
  const rows = await visit.ask(orderCommands.list, { options: { transaction } })
  if (rows.length === 0) return html``
  return tableView({ title: 'Orders to providers', columns: ORDER_COLUMNS, rows, empty: '' }, visit)
}

const auditOf = ({ id, platformId }: Of): string =>
  `/audit?${new URLSearchParams({ view: 'all', resource: id, platform: platformId })}`

const partView = <R>(
  title: string,
  facts: readonly Column<R>[],
  part: R | undefined,
  visit: Visit,
): Html =>
  part === undefined
    ? html``
    : html`<h2>${title}</h2>
        ${present(facts, part, visit)}`

/** What can be done about it is done where such things wait. */
async function doingsView(of: Of, visit: Visit): Promise<Html> {
  const refund = textIn(of, 'refund', 'status')
  const offers = [
    {
      path: 'settlements',
      label: 'Confirm or fail its settlement',
      isOffered: await waitsForHand(of, visit),
    },
    { path: 'refunds', label: 'Retry its refund', isOffered: refund === 'FAILED' },
    {
      path: 'card-exceptions',
      label: 'See what we bore for it',
      isOffered: of.status === 'EXCEPTION',
    },
  ]
  return html`${offers
    .filter(({ isOffered }) => isOffered)
    .map(
      ({ path, label }) =>
        html`<p>
          <a class="button" href="${pageOf(visit, { path, id: of.id })}">${label}</a>
        </p>`,
    )}`
}

async function waitsForHand(of: Of, visit: Visit): Promise<boolean> {
  if (of.type === 'CARD') return false
  if (of.status !== 'PROCESSING' && of.refund?.status !== 'PENDING') return false
  const { waitsFor } = await visit.ask(settlementCommands.show, { args: [of.id] })
  return waitsFor !== undefined
}

type Side = Readonly<{
  side: string
  place: Booked['source'] | Booked['destination']
  money: Booked['sentAmount']
}>

const detailsOf = ({ place }: Side): readonly string[] => [
  textIn(place, 'accountHolderName'),
  textIn(place, 'bankName'),
  textIn(place, 'paymentRail'),
  textIn(place, 'remittanceInformation'),
  textIn(place, 'endToEndId'),
  textIn(place, 'onChainTransaction', 'transactionHash'),
  textIn(place, 'onChainTransaction', 'network'),
]

const SIDES: readonly Column<Side>[] = [
  textColumn('Side', 'side'),
  {
    title: 'Account',
    cell: ({ place }, visit) => {
      const id = textIn(place, 'accountId')
      return id === '' ? textIn(place, 'umaAddress') || 'Paid in from outside' : linkedId(visit, id)
    },
  },
  moneyColumn('Amount', 'money'),
  {
    title: 'Rail details',
    cell: (row) => detailsOf(row).filter(Boolean).join(', ') || NOTHING,
  },
]

function sidesView(of: Transaction, visit: Visit): Html {
  if (of.type === 'CARD') return html`<p>From ${linkedId(visit, of.accountId)}</p>`
  const rows = [
    { side: 'From', place: of.source, money: of.sentAmount },
    { side: 'To', place: of.destination, money: receivedOf(of) },
  ]
  return tableView({ title: 'Source and destination', columns: SIDES, rows, empty: '' }, visit)
}

type Line = ShownTransaction['journals'][number]

/** `IA:<uuid>:available` is a part of an internal account; others are the house's or the transaction's own. */
const BOOK_ACCOUNT: Column<Line> = {
  title: 'Account',
  cell: ({ account }, visit) => {
    const [, uuid = '', part = ''] = /^IA:([0-9a-f-]{36}):(\w+)$/.exec(account) ?? []
    if (uuid !== '') return html`<span>${linkedId(visit, `InternalAccount:${uuid}`)} ${part}</span>`
    return html`<code title="${account}">${account.replace(/:[0-9a-f-]{36}$/, '')}</code>`
  },
}

const JOURNALS: readonly Column<Line>[] = [
  textColumn('Journal', 'type'),
  BOOK_ACCOUNT,
  moneyColumn('Amount', 'amount'),
  moneyColumn('Balance after', 'balanceAfter'),
  timeColumn('Booked', 'at'),
]

const journalsView = (rows: readonly Line[], visit: Visit): Html =>
  tableView(
    {
      title: 'Ledger entries',
      columns: JOURNALS,
      rows,
      empty: 'Nothing yet: no money has moved.',
    },
    visit,
  )

type Events = ShownTransaction['events']

const EVENTS: readonly Column<Events[number]>[] = [
  textColumn('Type', 'type'),
  statusColumn('Delivery', 'deliveryStatus'),
  figureColumn('Attempts', 'attempts'),
  timeColumn('Emitted', 'at'),
  linkColumn('Event', 'eventId'),
]

export const eventsView = (rows: Events, visit: Visit): Html =>
  tableView(
    {
      title: 'Webhook events',
      columns: EVENTS,
      rows,
      empty: 'No event about it is kept.',
    },
    visit,
  )
