/** The page of a payment whose money is moved by hand: how much, from where, and to where. */
import { html, type Html } from '../../../pages/html.ts'
import {
  codeColumn,
  inWords,
  moneyColumn,
  NOTHING,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { addressOf, formToken } from '../../layout.ts'
import { linkColumn } from '../../page-links.ts'
import type { Column, Visit } from '../../section.ts'
import { readMoney, showMoney } from '../../cells/show-money.ts'
import { accountView } from '../customers/account-view.ts'
import { CUSTOMER_NAME, historyView, ifAny, transactionLink } from '../waiting.ts'
import { type Answer } from '../../../operator/command.ts'
import { type settlementCommands } from '../../../operator/commands/money/settlements.ts'

export type Settlement = Answer<typeof settlementCommands.show>

export const transactionIdOf = ({ transaction }: Settlement): string => transaction.id

/** What is to be moved next; empty where nothing is. */
export const legOf = ({ waitsFor = '' }: Readonly<{ waitsFor?: string }>): string => waitsFor

const NAMES: Readonly<Record<string, string>> = {
  COLLECTION: 'Collect',
  PULL: 'Pull',
  PAYOUT: 'Pay out',
  REFUND: 'Send back',
}

/** `Pay out 10.00 USD` where something waits, `Payment of 10.00 USD` where not. */
export function titleOf(row: Settlement): string {
  const leg = legOf(row)
  return `${NAMES[leg] ?? 'Payment of'} ${moneyIn(moved(row, leg))}`
}

function moved({ transaction, refundAmount }: Settlement, leg: string): unknown {
  if (leg === 'REFUND') return refundAmount
  if (transaction.type === 'CARD') return transaction.authorizedAmount
  const { sentAmount: sent, receivedAmount } = transaction
  return leg === 'PULL' ? sent : (receivedAmount ?? sent)
}

/** Of a payment that failed: what goes back, which may be another amount than was asked for. */
export const refundTitleOf = ({ refundAmount }: Settlement): string =>
  `Refund of ${moneyIn(refundAmount)}`

function moneyIn(value: unknown): string {
  const money = readMoney(value)
  return money ? showMoney(money) : 'a payment'
}

type Leg = Readonly<{ leg: string; outcome: string; reference: string }>

/** The legs that were settled before, with what the outside calls them. */
export const SETTLED_LEGS: Column<Readonly<{ settled?: readonly Leg[] }>> = {
  title: 'Settled legs',
  cell: ({ settled: legs = [] }) => {
    if (legs.length === 0) return NOTHING
    return html`${legs.map(
      (leg) =>
        html`<div>
          ${inWords(leg.leg)}${leg.outcome === 'FAILED' ? ' failed' : ''}:
          <code>${leg.reference}</code>
        </div>`,
    )}`
  },
}

export const FACTS: readonly Column<Settlement>[] = [
  statusColumn('Status', 'transaction', 'status'),
  ifAny(statusColumn('Refund', 'transaction', 'refund', 'status')),
  ifAny(statusColumn('Failure reason', 'transaction', 'failureReason')),
  ifAny(moneyColumn('Refund amount', 'refundAmount')),
  moneyColumn('Sent', 'transaction', 'sentAmount'),
  moneyColumn('Received', 'transaction', 'receivedAmount'),
  ifAny(textColumn('Rail', 'transaction', 'paymentRail')),
  ifAny(textColumn('Network', 'network')),
  ifAny(SETTLED_LEGS),
  ifAny(textColumn('Funding rail', 'transaction', 'source', 'paymentRail')),
  ifAny(textColumn('Sender', 'transaction', 'source', 'accountHolderName')),
  ifAny(codeColumn('Trace', 'transaction', 'source', 'traceNumber')),
  CUSTOMER_NAME,
  linkColumn('Customer id', 'transaction', 'customerId'),
  PLATFORM_COLUMN,
  ifAny(codeColumn('Reference', 'transaction', 'reconciliationInstructions', 'reference')),
  ifAny(textColumn('To UMA address', 'transaction', 'destination', 'umaAddress')),
  timeColumn('Created', 'transaction', 'createdAt'),
  transactionLink('transaction', 'id'),
]

export const settlementView = async (row: Settlement, visit: Visit): Promise<Html> =>
  html`${accountsView(row, visit)}
  ${await historyView({ resources: [transactionIdOf(row)], visit })}`

/** Of what goes back nobody must take the account that it was meant for as the one to send it to. */
const sidesOf = ({ refundAmount }: Settlement): readonly [from: string, to: string] =>
  refundAmount === undefined ? ['From', 'To'] : ['Goes back to', 'Payee (not paid)']

function accountsView(row: Settlement, visit: Visit): Html {
  const { fromAccount: from, toAccount: to } = row
  const [fromTitle, toTitle] = sidesOf(row)
  const isMasked = JSON.stringify([from, to]).includes('***')
  return html`${from === undefined ? '' : accountView(fromTitle, from)}
  ${to === undefined ? '' : accountView(toTitle, to)} ${isMasked ? revealForm(row, visit) : ''}`
}

const revealForm = (row: Settlement, visit: Visit): Html =>
  html`<form
    method="post"
    action="${addressOf(visit, `/settlements/${encodeURIComponent(transactionIdOf(row))}/reveal`)}"
  >
    ${formToken(visit)}
    <button>Show numbers in full</button>
    <span class="small">That you saw them is audited.</span>
  </form>`
