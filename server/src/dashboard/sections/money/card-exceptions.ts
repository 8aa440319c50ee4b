import { countCardExceptions } from '../../../features/cards/index.ts'
import { html } from '../../../pages/html.ts'
import {
  ageColumn,
  codeColumn,
  idColumn,
  moneyColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { linkColumn } from '../../page-links.ts'
import type { Section } from '../../section.ts'
import {
  COUNT_BOUND,
  CUSTOMER_NAME,
  historyView,
  ifAny,
  lastAction,
  nextView,
  onAfter,
} from '../waiting.ts'
import { cardCommands } from '../../../operator/commands/cards/exceptions.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof cardCommands.exceptionsList>[number]
type Shown = Answer<typeof cardCommands.exceptionsShow>

const isOpenCard = ({ card }: Shown): boolean => card.state !== 'CLOSED'
const isWaiting = ({ shortfall }: Shown): boolean => shortfall.amount !== 0

/** Never more of a card's number than its end. */
const numberOf = ({ last4 }: Readonly<{ last4?: string }>): string =>
  last4 === undefined ? 'Not issued' : `•••• ${last4}`

const resourcesOf = ({ transaction, card }: Shown): readonly string[] => [transaction.id, card.id]

export const cardExceptions: Section<Line, Shown> = {
  path: 'card-exceptions',
  title: 'Card exceptions',
  about:
    'Purchases that the account did not cover, so that the service bore the rest. Oldest first.',
  count: ({ db }) => countCardExceptions(db.read, COUNT_BOUND),
  waitsSince: ({ createdAt }) => createdAt,
  idOf: ({ cardTransactionId }) => cardTransactionId,
  list: {
    command: cardCommands.exceptionsList,
    caption: 'Waiting',
    byPlatform: true,
    lookup: { label: 'Any card transaction', placeholder: 'CardTransaction:…' },
    columns: [
      CUSTOMER_NAME,
      textColumn('Merchant', 'merchant'),
      moneyColumn('Paid by the service'),
      statusColumn('Why', 'cause'),
      { title: 'Card', cell: numberOf },
      statusColumn('Card state', 'cardState'),
      PLATFORM_COLUMN,
      ageColumn('Since', 'createdAt'),
      idColumn('Id', 'cardTransactionId'),
    ],
    empty: 'Everything was covered.',
    limit: 100,
    older: onAfter((row) => [row.createdAt, row.cardTransactionId]),
  },
  detail: {
    command: cardCommands.exceptionsShow,
    title: ({ transaction }) => `Purchase at ${transaction.merchant.descriptor}`,
    facts: [
      statusColumn('Status', 'transaction', 'status'),
      moneyColumn('Paid by the service', 'shortfall'),
      ifAny(statusColumn('Why', 'cause')),
      moneyColumn('Balance', 'account', 'available'),
      statusColumn('Account', 'account', 'status'),
      moneyColumn('Authorized', 'transaction', 'authorizedAmount'),
      ifAny(moneyColumn('Settled', 'transaction', 'settledAmount')),
      ifAny(moneyColumn('Returned', 'transaction', 'refundedAmount')),
      { title: 'Card', cell: ({ card }) => numberOf(card) },
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
        command: cardCommands.retryPull,
        tone: 'good',
        about: 'What the service bore is taken from the account: all of it or nothing.',
        isOffered: (row) => isWaiting(row) && isOpenCard(row),
        done: 'Pulled from the account.',
      },
      {
        name: 'close',
        label: 'Close the card',
        command: cardCommands.close,
        tone: 'bad',
        about: 'For good. Nothing more is pulled for it, what was borne included.',
        args: ({ card }) => [card.id],
        isOffered: isOpenCard,
        done: 'The card is closed.',
      },
    ],
    versionOf: ({ transaction, card }) => [transaction.updatedAt, card.state].join(' '),
    explain: (row, visit) => lastAction({ resources: resourcesOf(row), visit }),
  },
}
