import { countWaitingDeposits, DEPOSIT_STATUSES } from '../../../features/deposits/index.ts'
import { html } from '../../../pages/html.ts'
import {
  ageColumn,
  codeColumn,
  moneyColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import type { Action, Column, Section } from '../../section.ts'
import { showMoney } from '../../cells/show-money.ts'
import { AMOUNT_FILTERS, choices, PERIOD_FILTERS, RAIL_FILTER } from '../filters.ts'
import {
  COUNT_BOUND,
  historyView,
  lastAction,
  nextView,
  onAfter,
  ifAny,
  transactionLink,
} from '../waiting.ts'
import { depositCommands } from '../../../operator/commands/money/deposits.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof depositCommands.list>[number]

const idOf = ({ depositId }: Line): string => depositId
const is =
  (...statuses: readonly string[]) =>
  ({ status }: Line): boolean =>
    statuses.includes(status)
const isWaiting = is('UNATTRIBUTED', 'HELD', 'RETURNING')

const titleOf = ({ amount, currency }: Line): string =>
  `Deposit of ${showMoney({ amount: BigInt(amount), currency })}`

const NOBODY_YET = 'Nobody yet'

/** Unallocated deposits lie on the house platform but do not belong to it. */
const OWNER: Column<Line> = {
  title: 'Belongs to',
  cell: (row, visit) =>
    row.platformId === undefined ? NOBODY_YET : PLATFORM_COLUMN.cell(row, visit),
}

const NOTE = { name: 'note', label: 'Note', hint: 'Required after a BLOCK by a provider.' }

const ACTIONS: readonly Action<Line>[] = [
  {
    name: 'attribute',
    label: 'It belongs to an account',
    command: depositCommands.attribute,
    tone: 'good',
    about: 'The account is credited at once, and its platform is told.',
    fields: [
      {
        name: 'to',
        label: 'Internal account',
        hint: 'Its id, as in InternalAccount:0199…',
        isRequired: true,
      },
      NOTE,
    ],
    isOffered: is('UNATTRIBUTED'),
    done: 'The account was credited.',
  },
  {
    name: 'release',
    label: 'Release',
    command: depositCommands.release,
    tone: 'good',
    about: 'Nothing speaks against it: its owner may spend it.',
    fields: [NOTE],
    isOffered: is('HELD'),
    done: 'Released.',
  },
  {
    name: 'return',
    label: 'Mark as sent back',
    command: depositCommands.return,
    tone: 'bad',
    about: 'First send the money back over its rail, then say so here.',
    isOffered: isWaiting,
    done: 'Returned.',
  },
]

export const deposits: Section<Line> = {
  path: 'deposits',
  title: 'Deposits',
  about: 'Money that came in: nobody’s yet, held for review, or to be sent back. Oldest first.',
  count: ({ db }) => countWaitingDeposits(db.read, COUNT_BOUND),
  waitsSince: ({ createdAt }) => createdAt,
  idOf,
  list: {
    command: depositCommands.list,
    caption: 'Deposits',
    byPlatform: true,
    views: [
      { name: 'waiting', title: 'Waiting' },
      { name: 'all', title: 'All, newest first', options: { all: true } },
    ],
    filters: [
      { name: 'status', label: 'State', choices: choices(DEPOSIT_STATUSES) },
      ...PERIOD_FILTERS,
      ...AMOUNT_FILTERS,
      RAIL_FILTER,
    ],
    lookup: { label: 'Any deposit', placeholder: 'Transaction:…' },
    columns: [
      { title: 'From', cell: ({ sender }) => sender ?? 'Unknown sender' },
      { title: 'To', cell: ({ payee }) => payee ?? NOBODY_YET },
      moneyColumn('Amount'),
      statusColumn('State', 'status'),
      statusColumn('Why', 'reason'),
      statusColumn('Screening', 'screening', 'verdict'),
      textColumn('Rail', 'rail'),
      codeColumn('Paid to', 'paidTo'),
      textColumn('Reference', 'reference'),
      statusColumn('Environment', 'environment'),
      ageColumn('Age', 'createdAt'),
    ],
    empty: 'No deposit is here.',
    live: 'deposits',
    limit: 100,
    older: onAfter((row) => [row.createdAt, row.depositId]),
  },
  detail: {
    command: depositCommands.show,
    title: titleOf,
    facts: [
      statusColumn('State', 'status'),
      ifAny(statusColumn('Why it waits', 'reason')),
      ifAny(statusColumn('Screening', 'screening', 'verdict')),
      statusColumn('Environment', 'environment'),
      OWNER,
      ifAny(textColumn('Sender', 'sender')),
      ifAny(textColumn('Reference', 'reference')),
      ifAny(codeColumn('Paid to', 'paidTo')),
      textColumn('Rail', 'rail'),
      codeColumn('Trace', 'trace'),
      timeColumn('Reported', 'createdAt'),
      codeColumn('Deposit id', 'depositId'),
      transactionLink('transactionId'),
    ],
    body: async (row, visit) =>
      html`${isWaiting(row) ? '' : await nextView(deposits, visit)}
      ${await historyView({ resources: [idOf(row)], visit })}`,
    timelineOf: idOf,
    actions: ACTIONS,
    versionOf: ({ status }) => status,
    explain: (row, visit) => lastAction({ resources: [idOf(row)], visit }),
  },
}
