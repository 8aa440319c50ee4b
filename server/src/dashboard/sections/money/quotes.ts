import { QUOTE_STATUSES } from '../../../features/quotes/index.ts'
import type { Answer } from '../../../operator/command.ts'
import { quoteCommands } from '../../../operator/commands/money/quotes.ts'
import { html, type Html } from '../../../pages/html.ts'
import {
  codeColumn,
  columnOf,
  inWords,
  moneyCell,
  moneyColumn,
  PARTIES_COLUMN,
  PLATFORM_COLUMN,
  statusColumn,
  tailOf,
  timeColumn,
} from '../../cells/cells.ts'
import { jsonView } from '../../cells/json-view.ts'
import { readMoney, showMoney } from '../../cells/show-money.ts'
import { linkColumn } from '../../page-links.ts'
import { pageOf } from '../../screens/list-page.ts'
import { factsView } from '../../screens/detail-page.ts'
import type { Column, Section, Visit } from '../../section.ts'
import {
  AMOUNT_FILTERS,
  choices,
  CUSTOMER_FILTER,
  PERIOD_FILTERS,
  RAIL_FILTER,
} from '../filters.ts'
import { ifAny } from '../waiting.ts'

type Line = Answer<typeof quoteCommands.list>[number]
type Shown = Answer<typeof quoteCommands.show>
type Quote = Shown['quote'] & Omit<Shown, 'quote'>

const CUSTOMER: Column<Line> = columnOf(
  'Customer',
  ['customerId'],
  (id, visit) => html`<a href="${pageOf(visit, { path: 'customers', id })}">${tailOf(id)}</a>`,
)

const sending = (amountOf: (quote: Quote) => number) => (quote: Quote) =>
  moneyCell({ amount: amountOf(quote), currency: quote.sendingCurrency })

const FACTS: readonly Column<Quote>[] = [
  statusColumn('Status', 'status'),
  PLATFORM_COLUMN,
  ifAny(linkColumn('Customer', 'customerId')),
  { title: 'Sends', cell: sending(({ totalSendingAmount }) => totalSendingAmount) },
  {
    title: 'Receives',
    cell: ({ totalReceivingAmount: amount, receivingCurrency: currency }) =>
      moneyCell({ amount, currency }),
  },
  { title: 'Fees', cell: sending(({ feesIncluded }) => feesIncluded) },
  { title: 'Platform fee', cell: sending(({ platformFeesIncluded }) => platformFeesIncluded ?? 0) },
  {
    title: 'Rate',
    cell: ({ exchangeRate, sendingCurrency, receivingCurrency }) =>
      `${exchangeRate} ${sendingCurrency.code} for 1 ${receivingCurrency.code}`,
  },
  timeColumn('Made', 'createdAt'),
  timeColumn('Held until', 'expiresAt'),
  linkColumn('Transaction', 'transactionId'),
  codeColumn('Id', 'id'),
]

function quoteView({ quote, ...place }: Shown, visit: Visit): Html {
  const { source, destination, rateDetails, paymentInstructions } = quote
  const parts = { source, destination, rateDetails, paymentInstructions }
  return html`${factsView(FACTS, { ...quote, ...place }, visit)}
  ${Object.entries(parts)
    .filter(([, part]) => part !== undefined)
    .map(
      ([name, part]) =>
        html`<h2>${inWords(name.replace(/[A-Z]/g, (letter) => `_${letter}`))}</h2>
          ${jsonView(part)}`,
    )}`
}

function titleOf({ quote }: Shown): string {
  const money = readMoney({ amount: quote.totalSendingAmount, currency: quote.sendingCurrency })
  return ['Quote', money && showMoney(money)].filter(Boolean).join(' ')
}

export const quotes: Section<Line, Shown> = {
  path: 'quotes',
  title: 'Quotes',
  about: 'Prices that were locked for a payment, newest first, and what became of them.',
  idOf: ({ quoteId }) => quoteId,
  list: {
    command: quoteCommands.list,
    caption: 'Quotes, newest first',
    byPlatform: true,
    filters: [
      { name: 'status', label: 'Status', choices: choices(QUOTE_STATUSES) },
      CUSTOMER_FILTER,
      ...PERIOD_FILTERS,
      ...AMOUNT_FILTERS,
      RAIL_FILTER,
    ],
    columns: [
      columnOf('Quote', ['quoteId'], tailOf),
      PARTIES_COLUMN,
      statusColumn('Status', 'status'),
      moneyColumn('Sends', 'sending'),
      moneyColumn('Receives', 'receiving'),
      CUSTOMER,
      PLATFORM_COLUMN,
      timeColumn('Made', 'createdAt'),
      timeColumn('Held until', 'expiresAt'),
    ],
    empty: 'No quote is like this.',
    live: 'quotes',
    limit: 50,
    older: { option: 'before', of: ({ quoteId }) => quoteId },
    lookup: { label: 'Any quote', placeholder: 'Quote:…' },
  },
  detail: {
    command: quoteCommands.show,
    title: titleOf,
    body: quoteView,
    timelineOf: ({ quote }) => quote.id,
    actions: [
      {
        name: 'expire',
        label: 'End now',
        command: quoteCommands.expire,
        tone: 'bad',
        about: 'Nobody can execute it any more, as if its time were over. The platform is told.',
        fields: [{ name: 'note', label: 'Note', kind: 'text' }],
        isOffered: ({ quote }) => quote.status === 'PENDING',
        done: 'The quote has ended.',
      },
    ],
  },
}
