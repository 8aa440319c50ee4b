import { html } from '../../../pages/html.ts'
import {
  codeColumn,
  idColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
  amountColumn,
} from '../../cells/cells.ts'
import { jsonView } from '../../cells/json-view.ts'
import type { Action, Column, Section } from '../../section.ts'
import { CURRENCY_FILTER, CUSTOMER_FILTER } from '../filters.ts'
import { ifAny } from '../waiting.ts'
import { balanceReturnCommands } from '../../../operator/commands/money/balance-returns.ts'
import { accountCommands } from '../../../operator/commands/customers/accounts.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof accountCommands.list>[number]
export type Account = Answer<typeof accountCommands.show>

const statusIs =
  (status: string) =>
  (row: Account): boolean =>
    row.status === status

/** Offered where the owner cannot use the balance any more; the page of an account says why. */
export const RETURN_ACTION: Action<Account> = {
  name: 'return',
  label: 'Return the balance',
  command: balanceReturnCommands.return,
  about:
    'The whole available balance goes to the platform’s own account in this currency, and the platform is told. What is held stays.',
  fields: [
    { name: 'reason', label: 'Reason', kind: 'text', isRequired: true },
    {
      name: 'reference',
      label: 'Reference',
      hint: 'Unique for the platform. Left empty, one is made.',
    },
  ],
  isOffered: ({ returnable }) => returnable !== undefined,
  done: 'The balance was returned to the platform.',
}

export const BALANCES: readonly Column<Line>[] = [
  amountColumn('Available', 'available'),
  amountColumn('Held', 'held'),
]

/** Both what an action was offered for and what it would move. */
export const accountVersionOf = ({ status, returnable }: Account): string =>
  [status, returnable?.cause].filter(Boolean).join(' ')

export const accounts: Section<Line, Account> = {
  path: 'accounts',
  title: 'Accounts',
  about: 'Where platforms and their customers hold money with us.',
  idOf: ({ internalAccountId }) => internalAccountId,
  list: {
    command: accountCommands.list,
    caption: 'Internal accounts, newest first',
    needsPlatform: 'Choose a platform above to see its accounts.',
    views: [
      { name: 'own', title: 'Platform accounts', options: { own: true } },
      { name: 'customers', title: 'Customer accounts' },
    ],
    filters: [CURRENCY_FILTER, CUSTOMER_FILTER],
    columns: [
      idColumn('Account', 'internalAccountId'),
      textColumn('Currency', 'currency'),
      ...BALANCES,
      statusColumn('Status', 'status'),
      statusColumn('Type', 'type'),
      idColumn('Customer', 'customerId'),
      timeColumn('Since', 'createdAt'),
    ],
    empty: 'No account is here.',
    limit: 50,
    older: { option: 'before', of: ({ internalAccountId }) => internalAccountId },
    lookup: { label: 'Any account', placeholder: 'InternalAccount:…' },
  },
  detail: {
    command: accountCommands.show,
    title: ({ currency }) => `${currency} account`,
    facts: [
      ...BALANCES,
      statusColumn('Status', 'status'),
      ifAny(statusColumn('Customer status', 'returnable', 'cause')),
      statusColumn('Type', 'type'),
      PLATFORM_COLUMN,
      timeColumn('Since', 'createdAt'),
      codeColumn('Id', 'internalAccountId'),
      codeColumn('Customer', 'customerId'),
    ],
    body: (row) =>
      html`<h2>How it is paid into</h2>
        ${jsonView(row.fundingPaymentInstructions)}`,
    timelineOf: ({ internalAccountId }) => internalAccountId,
    actions: [
      {
        name: 'freeze',
        label: 'Freeze',
        command: accountCommands.freeze,
        tone: 'bad',
        about: 'Nothing new moves in or out; what is under way finishes. The platform is told.',
        isOffered: statusIs('ACTIVE'),
        done: 'The account is frozen.',
      },
      {
        name: 'unfreeze',
        label: 'Unfreeze',
        command: accountCommands.unfreeze,
        tone: 'good',
        about: 'Money moves again. The platform is told.',
        fields: [
          {
            name: 'note',
            label: 'Note',
            kind: 'text',
            hint: 'Required after a block by a provider.',
          },
        ],
        isOffered: statusIs('FROZEN'),
        done: 'The account moves again.',
      },
      RETURN_ACTION,
    ],
    versionOf: accountVersionOf,
  },
}
