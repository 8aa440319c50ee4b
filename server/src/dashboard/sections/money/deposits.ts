import { countWaitingDeposits } from '../../../features/deposits/index.ts'
import { html } from '../../../pages/html.ts'
import type { Row } from '../../ask.ts'
import {
  ageColumn,
  codeColumn,
  moneyColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  textIn,
  timeColumn,
} from '../../cells.ts'
import type { Action, Column, Section } from '../../section.ts'
import { readMoney, showMoney } from '../../show-money.ts'
import {
  COUNT_BOUND,
  historyView,
  lastAction,
  nextView,
  onAfter,
  ifAny,
  transactionLink,
} from '../waiting.ts'

const idOf = (row: Row): string => textIn(row, 'depositId')
const statusOf = (row: Row): string => textIn(row, 'status')
const is =
  (...statuses: readonly string[]) =>
  (row: Row): boolean =>
    statuses.includes(statusOf(row))
const isWaiting = is('UNATTRIBUTED', 'HELD', 'RETURNING')

function titleOf(row: Row): string {
  const money = readMoney(row)
  return `Deposit of ${money ? showMoney(money) : 'money'}`
}

/** Unallocated deposits lie on the house platform but do not belong to it. */
const OWNER: Column = {
  title: 'Belongs to',
  cell: (row, visit) =>
    textIn(row, 'platformId') === '' ? 'Nobody yet' : PLATFORM_COLUMN.cell(row, visit),
}

const ACTIONS: readonly Action[] = [
  {
    name: 'attribute',
    label: 'It belongs to an account',
    command: 'deposits attribute',
    tone: 'good',
    about: 'The account is credited at once, and its platform is told.',
    fields: [
      {
        name: 'to',
        label: 'Internal account',
        hint: 'Its id, as in InternalAccount:0199…',
        isRequired: true,
      },
    ],
    isOffered: is('UNATTRIBUTED'),
    done: 'The account was credited.',
  },
  {
    name: 'release',
    label: 'Release',
    command: 'deposits release',
    tone: 'good',
    about: 'Nothing speaks against it: its owner may spend it.',
    isOffered: is('HELD'),
    done: 'Released.',
  },
  {
    name: 'return',
    label: 'Mark as sent back',
    command: 'deposits return',
    tone: 'bad',
    about: 'First send the money back over its rail, then say so here.',
    isOffered: isWaiting,
    done: 'Returned.',
  },
]

export const deposits: Section = {
  path: 'deposits',
  title: 'Deposits',
  about: 'Money that came in: nobody’s yet, held for review, or to be sent back. Oldest first.',
  count: ({ db }) => countWaitingDeposits(db.read, COUNT_BOUND),
  idOf,
  list: {
    command: 'deposits list',
    caption: 'Deposits',
    views: [
      { name: 'waiting', title: 'Waiting' },
      { name: 'all', title: 'All, newest first', options: { all: true } },
    ],
    lookup: { label: 'Any deposit', placeholder: 'Transaction:…' },
    columns: [
      { ...textColumn('From'), cell: (row) => textIn(row, 'sender') || 'Unknown sender' },
      moneyColumn('Amount'),
      statusColumn('State', 'status'),
      statusColumn('Why', 'reason'),
      textColumn('Rail', 'rail'),
      codeColumn('Paid to', 'paidTo'),
      textColumn('Reference', 'reference'),
      statusColumn('Environment', 'environment'),
      ageColumn('Age', 'createdAt'),
    ],
    empty: 'No deposit is here.',
    limit: 100,
    older: onAfter({ time: 'createdAt', id: 'depositId' }),
  },
  detail: {
    command: 'deposits show',
    title: titleOf,
    facts: [
      statusColumn('State', 'status'),
      ifAny(statusColumn('Why it waits', 'reason')),
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
    actions: ACTIONS,
    versionOf: statusOf,
    explain: (row, visit) => lastAction({ resources: [idOf(row)], visit }),
  },
}
