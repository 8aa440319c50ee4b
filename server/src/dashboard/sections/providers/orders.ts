import { ORDER_STATES } from '../../../orders/index.ts'
import { orderCommands } from '../../../operator/commands/providers/orders.ts'
import {
  ageColumn,
  codeColumn,
  figureColumn,
  inWords,
  moneyColumn,
  NOTHING,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { AMOUNT_FILTERS, choices, PERIOD_FILTERS } from '../filters.ts'
import { linkedId } from '../../page-links.ts'
import type { Choice, Section, Visit } from '../../section.ts'
import { ifAny, lastAction, onAfter, transactionLink } from '../waiting.ts'
import {
  PROVIDER,
  orderAmount,
  orderView,
  WAITING,
  type OrderLine,
  type OrderPage,
} from './order-view.ts'
import { STATE_WORDS } from './words.ts'

const providerChoices = ({ deps }: Visit): readonly Choice[] =>
  deps.providers
    .registered()
    .filter(({ kind }) => kind === 'http')
    .map(({ name }) => ({ value: name, label: name }))

export const orders: Section<OrderLine, OrderPage> = {
  path: 'orders',
  title: 'Orders',
  about: 'What providers outside were asked to do, and what became of it.',
  idOf: ({ orderId }) => orderId,
  list: {
    command: orderCommands.list,
    caption: 'Orders',
    byPlatform: true,
    views: [
      { name: 'open', title: 'Open', options: { open: true } },
      { name: 'all', title: 'All', options: { newest: true } },
    ],
    lookup: { label: 'Any order', placeholder: 'Order:…' },
    filters: [
      { name: 'provider', label: 'Provider', choices: providerChoices },
      { name: 'state', label: 'State', choices: choices(ORDER_STATES) },
      ...PERIOD_FILTERS,
      ...AMOUNT_FILTERS,
    ],
    columns: [
      { title: 'Order', cell: ({ type }) => inWords(type) },
      statusColumn('State', 'state'),
      moneyColumn('Amount'),
      WAITING,
      textColumn('Provider', 'provider'),
      PLATFORM_COLUMN,
      figureColumn('Attempts', 'attempts'),
      ageColumn('Since', 'createdAt'),
    ],
    empty: 'No order is like this.',
    live: 'orders',
    limit: 50,
    older: onAfter((row) => [row.createdAt, row.orderId]),
  },
  detail: {
    command: orderCommands.show,
    title: ({ type }) => `${inWords(type)} order`,
    facts: [
      statusColumn('State', 'state'),
      { title: 'Meaning', cell: ({ state }) => STATE_WORDS[state] },
      ifAny(WAITING),
      ifAny(moneyColumn('Amount')),
      ifAny(orderAmount('Settled', 'settledAmount')),
      ifAny(orderAmount('Returned', 'returnedAmount')),
      ifAny(statusColumn('Why it failed', 'failureReason')),
      PROVIDER,
      PLATFORM_COLUMN,
      transactionLink('transactionId'),
      ifAny({
        title: 'About',
        cell: ({ subject }, visit) => (subject === undefined ? NOTHING : linkedId(visit, subject)),
      }),
      figureColumn('Attempts', 'attempts'),
      ifAny(timeColumn('Last attempt', 'lastAttemptAt')),
      ifAny(codeColumn('Last error', 'lastError')),
      ifAny(timeColumn('Sent again until', 'expiresAt')),
      ifAny(codeColumn('Provider’s reference', 'reference')),
      codeColumn('Our reference', 'ownReference'),
      timeColumn('Created', 'createdAt'),
      codeColumn('Id', 'orderId'),
    ],
    body: orderView,
    timelineOf: ({ transactionId, orderId }) => transactionId ?? orderId,
    actions: [
      {
        name: 'ask',
        label: 'Ask the provider now',
        command: orderCommands.ask,
        about: 'What the provider answers counts like a report.',
        isOffered: ({ attempts }) => attempts > 0,
        done: 'The provider was asked.',
      },
      {
        name: 'reassign',
        label: 'Give it to another provider',
        command: orderCommands.reassign,
        about: 'Possible only while it was never sent.',
        fields: [
          {
            name: 'provider',
            label: 'Provider',
            kind: 'choice',
            isRequired: true,
            choices: (row, visit) =>
              providerChoices(visit).filter(({ value }) => value !== row.provider),
          },
        ],
        isOffered: ({ state, attempts }) => state === 'QUEUED' && attempts === 0,
        done: 'It goes to the other provider.',
      },
    ],
    versionOf: ({ state, attempts, providerId }) => [state, attempts, providerId].join(' '),
    explain: ({ orderId }, visit) => lastAction({ resources: [orderId], visit }),
  },
}
