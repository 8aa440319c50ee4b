import { countCardExceptions } from '../../../features/cards/index.ts'
import { html } from '../../../pages/html.ts'
import type { Row } from '../../ask.ts'
import {
  ageColumn,
  codeColumn,
  idColumn,
  moneyColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  textIn,
  timeColumn,
  valueIn,
} from '../../cells.ts'
import { linkColumn } from '../../page-links.ts'
import type { Column, Section } from '../../section.ts'
import {
  COUNT_BOUND,
  CUSTOMER_NAME,
  historyView,
  ifAny,
  lastAction,
  nextView,
  onAfter,
} from '../waiting.ts'

const idOf = (row: Row): string => textIn(row, 'cardTransactionId')
const transactionIdOf = (row: Row): string => textIn(row, 'transaction', 'id')
const cardIdOf = (row: Row): string => textIn(row, 'card', 'id')
const isOpenCard = (row: Row): boolean => textIn(row, 'card', 'state') !== 'CLOSED'
const isWaiting = (row: Row): boolean => valueIn(row, 'shortfall', 'amount') !== 0

/** Never more of a card's number than its end. */
const cardColumn = (...path: readonly string[]): Column => ({
  title: 'Card',
  cell: (row) => {
    const last4 = textIn(row, ...path)
    return last4 === '' ? 'Not issued' : `•••• ${last4}`
  },
})

const resourcesOf = (row: Row): readonly string[] => [transactionIdOf(row), cardIdOf(row)]

export const cardExceptions: Section = {
  path: 'card-exceptions',
  title: 'Card exceptions',
  about:
    'Purchases that the account did not cover, so that the service bore the rest. Oldest first.',
  count: ({ db }) => countCardExceptions(db.read, COUNT_BOUND),
  idOf,
  list: {
    command: 'card-exceptions list',
    caption: 'Waiting',
    byPlatform: true,
    lookup: { label: 'Any card transaction', placeholder: 'CardTransaction:…' },
    columns: [
      CUSTOMER_NAME,
      textColumn('Merchant', 'merchant'),
      moneyColumn('Paid by the service'),
      statusColumn('Why', 'cause'),
      cardColumn('last4'),
      statusColumn('Card state', 'cardState'),
      PLATFORM_COLUMN,
      ageColumn('Since', 'createdAt'),
      idColumn('Id', 'cardTransactionId'),
    ],
    empty: 'Everything was covered.',
    limit: 100,
    older: onAfter({ time: 'createdAt', id: 'cardTransactionId' }),
  },
  detail: {
    command: 'card-exceptions show',
    title: (row) => `Purchase at ${textIn(row, 'transaction', 'merchant', 'descriptor')}`,
    facts: [
      statusColumn('Status', 'transaction', 'status'),
      moneyColumn('Paid by the service', 'shortfall'),
      ifAny(statusColumn('Why', 'cause')),
      moneyColumn('Balance', 'account', 'available'),
      statusColumn('Account', 'account', 'status'),
      moneyColumn('Authorized', 'transaction', 'authorizedAmount'),
      ifAny(moneyColumn('Settled', 'transaction', 'settledAmount')),
      ifAny(moneyColumn('Returned', 'transaction', 'refundedAmount')),
      cardColumn('card', 'last4'),
      statusColumn('Card state', 'card', 'state'),
      CUSTOMER_NAME,
      linkColumn('Customer id', 'transaction', 'customerId'),
      PLATFORM_COLUMN,
      timeColumn('Authorized', 'transaction', 'authorizedAt'),
      codeColumn('Card transaction id', 'transaction', 'id'),
      codeColumn('Card id', 'card', 'id'),
      linkColumn('Account id', 'transaction', 'accountId'),
    ],
    body: async (row, visit) =>
      html`${isWaiting(row) ? '' : await nextView(cardExceptions, visit)}
      ${await historyView({ resources: resourcesOf(row), visit })}`,
    actions: [
      {
        name: 'retry-pull',
        label: 'Pull it now',
        command: 'cards retry-pull',
        tone: 'good',
        about: 'What the service bore is taken from the account: all of it or nothing.',
        isOffered: (row) => isWaiting(row) && isOpenCard(row),
        done: 'Pulled from the account.',
      },
      {
        name: 'close',
        label: 'Close the card',
        command: 'cards close',
        tone: 'bad',
        about: 'For good. Nothing more is pulled for it, what was borne included.',
        words: (row) => [cardIdOf(row)],
        isOffered: isOpenCard,
        done: 'The card is closed.',
      },
    ],
    versionOf: (row) =>
      [textIn(row, 'transaction', 'updatedAt'), textIn(row, 'card', 'state')].join(' '),
    explain: (row, visit) => lastAction({ resources: resourcesOf(row), visit }),
  },
}
