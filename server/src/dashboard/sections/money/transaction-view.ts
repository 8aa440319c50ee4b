/** The page of a transaction: what happened to it, what was booked for it, and which events were sent. */
import { html, type Html } from '../../../pages/html.ts'
import { rowsOf, type Row } from '../../ask.ts'
import {
  codeColumn,
  figureColumn,
  inWords,
  moneyColumn,
  NOTHING,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  textIn,
  timeColumn,
  valueIn,
} from '../../cells.ts'
import { factsView } from '../../detail-page.ts'
import { linkColumn, linkedId } from '../../page-links.ts'
import { pageOf } from '../../list-page.ts'
import type { Column, Visit } from '../../section.ts'
import { readMoney, showMoney } from '../../show-money.ts'
import { tableView } from '../../table-view.ts'
import { historyView } from '../waiting.ts'

/** A card's is what was authorized. */
export const SENT: Column = {
  ...moneyColumn('Sent'),
  cell: (row, visit) => {
    const name = row['type'] === 'CARD' ? 'authorizedAmount' : 'sentAmount'
    return moneyColumn('', name).cell(row, visit)
  },
}

export const RECEIVED: Column = moneyColumn('Received', 'receivedAmount')

const idOf = (row: Row): string => textIn(row, 'transaction', 'id')

export function titleOf(row: Row): string {
  const of = row['transaction'] as Row
  const money = ['sentAmount', 'receivedAmount', 'authorizedAmount']
    .map((name) => readMoney(of[name]))
    .find((one) => one !== undefined)
  return [inWords(textIn(of, 'type')), money && showMoney(money)].filter(Boolean).join(' ')
}

/** Only what there is to say. */
const present = (facts: readonly Column[], row: Row, visit: Visit): Html => {
  const said = facts.filter((fact) => fact.cell(row, visit) !== NOTHING)
  return said.length === 0 ? html`` : factsView(said, row, visit)
}

/** In units of what was sent. */
const feeColumn = (title: string, name: string): Column => ({
  title,
  cell: (row, visit) => {
    const [amount, currency] = [row[name], valueIn(row, 'sentAmount', 'currency')]
    return moneyColumn('').cell({ amount, currency }, visit)
  },
})

const RATE: Column = {
  title: 'Rate',
  cell: (row) => {
    const rate = textIn(row, 'exchangeRate')
    if (rate === '') return NOTHING
    const code = (side: string): string => textIn(row, side, 'currency', 'code')
    return `${rate} ${code('sentAmount')} for 1 ${code('receivedAmount')}`
  },
}

const WHAT_IT_IS: readonly Column[] = [
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

const AMOUNTS: readonly Column[] = [
  moneyColumn('Sent', 'sentAmount'),
  moneyColumn('Received', 'receivedAmount'),
  feeColumn('Fees', 'fees'),
  feeColumn('Platform fee', 'platformFees'),
  RATE,
  moneyColumn('Authorized', 'authorizedAmount'),
  moneyColumn('Settled', 'settledAmount'),
  moneyColumn('Refunded', 'refundedAmount'),
]

const REFUND: readonly Column[] = [
  statusColumn('Status', 'status'),
  statusColumn('Reason', 'reason'),
  codeColumn('Reference', 'reference'),
  timeColumn('Created', 'initiatedAt'),
  timeColumn('Settled', 'settledAt'),
]

const QUOTE: readonly Column[] = [
  statusColumn('Status', 'status'),
  timeColumn('Made', 'createdAt'),
  timeColumn('Held until', 'expiresAt'),
  codeColumn('Id', 'id'),
]

export async function transactionView(row: Row, visit: Visit): Promise<Html> {
  const { transaction, platformId, paymentReference } = row
  const of: Row = { ...(transaction as Row), platformId, paymentReference }
  return html`${doingsView(of, visit)} ${present(WHAT_IT_IS, of, visit)}
    <h2>Amounts</h2>
    ${present(AMOUNTS, of, visit)} ${sidesView(of, visit)}
    ${partView('Refund', REFUND, of['refund'], visit)}
    ${partView('Quote', QUOTE, row['quote'], visit)} ${journalsView(row, visit)}
    ${eventsView(row, visit)} ${await historyView({ resources: [idOf(row)], visit })}
    <p class="paging small"><a href="${auditOf(row)}">All changes in the audit</a></p>`
}

const auditOf = (row: Row): string =>
  `/audit?${new URLSearchParams({ view: 'all', resource: idOf(row), platform: textIn(row, 'platformId') })}`

const partView = (title: string, facts: readonly Column[], part: unknown, visit: Visit): Html =>
  part === undefined
    ? html``
    : html`<h2>${title}</h2>
        ${present(facts, part as Row, visit)}`

/** What can be done about it is done where such things wait. */
function doingsView(of: Row, visit: Visit): Html {
  const platform = visit.platforms.find((one) => one['platformId'] === of['platformId'])
  const isByHand = platform?.['environment'] === 'PRODUCTION' && of['type'] !== 'CARD'
  const refund = textIn(of, 'refund', 'status')
  const waits = of['status'] === 'PROCESSING' || refund === 'PENDING'
  const offers = [
    { path: 'settlements', label: 'Confirm or fail its settlement', isOffered: isByHand && waits },
    { path: 'refunds', label: 'Retry its refund', isOffered: refund === 'FAILED' },
    {
      path: 'card-exceptions',
      label: 'See what we bore for it',
      isOffered: of['status'] === 'EXCEPTION',
    },
  ]
  return html`${offers
    .filter(({ isOffered }) => isOffered)
    .map(
      ({ path, label }) =>
        html`<p>
          <a class="button" href="${pageOf(visit, { path, id: textIn(of, 'id') })}">${label}</a>
        </p>`,
    )}`
}

const DETAILS = [
  'accountHolderName',
  'bankName',
  'paymentRail',
  'remittanceInformation',
  'endToEndId',
]

const SIDES: readonly Column[] = [
  textColumn('Side', 'side'),
  {
    title: 'Account',
    cell: (row, visit) => {
      const id = textIn(row, 'accountId')
      return id === '' ? textIn(row, 'umaAddress') || 'Paid in from outside' : linkedId(visit, id)
    },
  },
  moneyColumn('Amount', 'money'),
  {
    title: 'Rail details',
    cell: (row) => {
      const { transactionHash, network } = (row['onChainTransaction'] ?? {}) as Row
      const details = [...DETAILS.map((name) => textIn(row, name)), transactionHash, network]
      return details.filter(Boolean).join(', ') || NOTHING
    },
  },
]

function sidesView(of: Row, visit: Visit): Html {
  if (of['type'] === 'CARD') return html`<p>From ${linkedId(visit, textIn(of, 'accountId'))}</p>`
  const rows = [
    { ...(of['source'] as Row), side: 'From', money: of['sentAmount'] },
    { ...(of['destination'] as Row), side: 'To', money: of['receivedAmount'] },
  ]
  return tableView({ title: 'Source and destination', columns: SIDES, rows, empty: '' }, visit)
}

/** `IA:<uuid>:available` is a part of an internal account; others are the house's or the transaction's own. */
const BOOK_ACCOUNT: Column = {
  title: 'Account',
  cell: (row, visit) => {
    const account = textIn(row, 'account')
    const [, uuid = '', part = ''] = /^IA:([0-9a-f-]{36}):(\w+)$/.exec(account) ?? []
    if (uuid !== '') return html`<span>${linkedId(visit, `InternalAccount:${uuid}`)} ${part}</span>`
    return html`<code title="${account}">${account.replace(/:[0-9a-f-]{36}$/, '')}</code>`
  },
}

const JOURNALS: readonly Column[] = [
  textColumn('Journal', 'type'),
  BOOK_ACCOUNT,
  moneyColumn('Amount', 'amount'),
  moneyColumn('Balance after', 'balanceAfter'),
  timeColumn('Booked', 'at'),
]

const journalsView = (row: Row, visit: Visit): Html =>
  tableView(
    {
      title: 'Ledger entries',
      columns: JOURNALS,
      rows: rowsOf(row['journals']),
      empty: 'Nothing yet: no money has moved.',
    },
    visit,
  )

const EVENTS: readonly Column[] = [
  textColumn('Type', 'type'),
  statusColumn('Delivery', 'deliveryStatus'),
  figureColumn('Attempts', 'attempts'),
  timeColumn('Emitted', 'at'),
  linkColumn('Event', 'eventId'),
]

export const eventsView = (row: Row, visit: Visit): Html =>
  tableView(
    {
      title: 'Webhook events',
      columns: EVENTS,
      rows: rowsOf(row['events']),
      empty: 'No event about it is kept.',
    },
    visit,
  )
