import { CARD_STATES } from '../../../features/cards/index.ts'
import type { Answer } from '../../../operator/command.ts'
import { cardRecordCommands } from '../../../operator/commands/cards/cards.ts'
import { cardCommands } from '../../../operator/commands/cards/exceptions.ts'
import { transactionCommands } from '../../../operator/commands/money/transactions.ts'
import { html, type Html } from '../../../pages/html.ts'
import {
  amountColumn,
  codeColumn,
  inWords,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { tableView } from '../../cells/table-view.ts'
import { linkColumn, linkedId } from '../../page-links.ts'
import { factsView } from '../../screens/detail-page.ts'
import type { Column, Section, Visit } from '../../section.ts'
import { choices, CUSTOMER_FILTER, PERIOD_FILTERS } from '../filters.ts'
import { ifAny } from '../waiting.ts'
import { RECEIVED, SENT, type Transaction } from './transaction-view.ts'

type Line = Answer<typeof cardRecordCommands.list>[number]
type Shown = Answer<typeof cardRecordCommands.show>
type Card = Shown['card']

const nameOf = ({ brand = '', last4 }: Readonly<{ brand?: string; last4?: string }>): string =>
  last4 === undefined ? 'Card not issued yet' : `${inWords(brand)} •••• ${last4}`

const NAME: Column<Line> = { title: 'Card', cell: nameOf }

const FACTS: readonly Column<Card & Readonly<{ platformId: string }>>[] = [
  statusColumn('State', 'state'),
  ifAny(statusColumn('Why', 'stateReason')),
  PLATFORM_COLUMN,
  linkColumn('Customer', 'customerId'),
  ifAny(amountColumn('Most per transaction', 'maxSpendPerTransaction')),
  textColumn('Currency', 'currency'),
  {
    title: 'Paid from',
    cell: ({ fundingSources }, visit) =>
      html`${fundingSources.map((id) => html`<span>${linkedId(visit, id)}</span> `)}`,
  },
  ifAny({
    title: 'Expires',
    cell: ({ expMonth, expYear }) => (expYear === undefined ? '–' : `${expMonth}/${expYear}`),
  }),
  codeColumn('Platform card id', 'platformCardId'),
  ifAny(codeColumn('Processor reference', 'processorRef')),
  timeColumn('Created', 'createdAt'),
  timeColumn('Last changed', 'updatedAt'),
  codeColumn('Id', 'id'),
]

const TRANSACTIONS: readonly Column<Transaction>[] = [
  linkColumn('Transaction', 'id'),
  statusColumn('Status', 'status'),
  SENT,
  RECEIVED,
  timeColumn('Created', 'createdAt'),
]

async function cardView({ card, platformId }: Shown, visit: Visit): Promise<Html> {
  const options = { customer: card.customerId, type: 'CARD', limit: '100' }
  const all = await visit.ask(transactionCommands.list, { options })
  const rows = all.filter((one) => one.type === 'CARD' && one.cardId === card.id)
  return html`${factsView(FACTS, { ...card, platformId }, visit)}
  ${tableView(
    {
      title: 'Newest transactions',
      columns: TRANSACTIONS,
      rows,
      empty: 'Nothing was paid with it.',
    },
    visit,
  )}`
}

const stateIs =
  (...states: readonly string[]) =>
  ({ card }: Shown): boolean =>
    states.includes(card.state)

const NOTE = { name: 'note', label: 'Note', kind: 'text' } as const

export const cards: Section<Line, Shown> = {
  path: 'cards',
  title: 'Cards',
  about: 'Cards of customers, newest first.',
  idOf: ({ cardId }) => cardId,
  list: {
    command: cardRecordCommands.list,
    caption: 'Cards, newest first',
    byPlatform: true,
    filters: [
      { name: 'status', label: 'State', choices: choices(CARD_STATES) },
      CUSTOMER_FILTER,
      ...PERIOD_FILTERS,
    ],
    columns: [
      NAME,
      textColumn('Cardholder', 'cardholder'),
      statusColumn('State', 'state'),
      textColumn('Currency', 'currency'),
      linkColumn('Customer', 'customerId'),
      PLATFORM_COLUMN,
      timeColumn('Created', 'createdAt'),
    ],
    empty: 'No card is like this.',
    live: 'cards',
    limit: 50,
    older: { option: 'before', of: ({ cardId }) => cardId },
    lookup: { label: 'Any card', placeholder: 'Card:…' },
  },
  detail: {
    command: cardRecordCommands.show,
    title: ({ card }) => nameOf(card),
    body: cardView,
    timelineOf: ({ card }) => card.id,
    versionOf: ({ card }) => card.state,
    actions: [
      {
        name: 'freeze',
        label: 'Freeze',
        command: cardRecordCommands.freeze,
        tone: 'bad',
        about: 'Every authorization is declined until it is unfrozen. The platform is told.',
        fields: [NOTE],
        isOffered: stateIs('ACTIVE'),
        done: 'The card is frozen.',
      },
      {
        name: 'unfreeze',
        label: 'Unfreeze',
        command: cardRecordCommands.unfreeze,
        tone: 'good',
        about: 'The card pays again. The platform is told.',
        fields: [NOTE],
        isOffered: stateIs('FROZEN'),
        done: 'The card pays again.',
      },
      {
        name: 'close',
        label: 'Close for good',
        command: cardCommands.close,
        tone: 'bad',
        about: 'It never pays again. What is authorized is still cleared. The platform is told.',
        isOffered: ({ card }) => card.state !== 'CLOSED',
        done: 'The card is closed.',
      },
    ],
  },
}
