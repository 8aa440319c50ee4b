import { countReturnable } from '../../../features/internal-accounts/index.ts'
import { html } from '../../../pages/html.ts'
import {
  ageColumn,
  codeColumn,
  idColumn,
  moneyColumn,
  PLATFORM_COLUMN,
  statusColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { pageOf } from '../../screens/list-page.ts'
import type { Column, Section } from '../../section.ts'
import { showMoney } from '../../cells/show-money.ts'
import { accountVersionOf, BALANCES, RETURN_ACTION, type Account } from '../customers/accounts.ts'
import { COUNT_BOUND, historyView, ifAny, lastAction, nextView, onAfter } from '../waiting.ts'
import { balanceReturnCommands } from '../../../operator/commands/money/balance-returns.ts'
import { accountCommands } from '../../../operator/commands/customers/accounts.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof balanceReturnCommands.returnable>[number]

const isWaiting = ({ returnable }: Account): boolean => returnable !== undefined

const titleOf = ({ currency, returnable, available }: Account): string =>
  returnable === undefined
    ? `${currency} account`
    : `${showMoney({ amount: BigInt(available), currency })} to return`

const CUSTOMER_LINK: Column<Account> = {
  title: 'Customer',
  cell: ({ customerId: id = '' }, visit) =>
    html`<a href="${pageOf(visit, { path: 'customers', id })}"><code>${id}</code></a>`,
}

export const returnableBalances: Section<Line, Account> = {
  path: 'returns',
  title: 'Money to return',
  about:
    'Money of customers who were rejected or deleted. They cannot move it; you can return it to the platform. Oldest first.',
  count: ({ db }) => countReturnable(db.read, COUNT_BOUND),
  waitsSince: ({ since }) => since,
  idOf: ({ accountId }) => accountId,
  list: {
    command: balanceReturnCommands.returnable,
    caption: 'Waiting',
    byPlatform: true,
    columns: [
      idColumn('Account', 'accountId'),
      moneyColumn('Balance', 'balance'),
      statusColumn('Customer status', 'cause'),
      ageColumn('Since', 'since'),
      idColumn('Customer', 'customerId'),
      PLATFORM_COLUMN,
    ],
    empty: 'No balance waits to be returned.',
    limit: 100,
    older: onAfter((row) => [row.since, row.accountId]),
  },
  detail: {
    command: accountCommands.show,
    title: titleOf,
    facts: [
      ...BALANCES,
      ifAny(statusColumn('Customer status', 'returnable', 'cause')),
      ifAny(timeColumn('Since', 'returnable', 'since')),
      statusColumn('Status', 'status'),
      statusColumn('Type', 'type'),
      PLATFORM_COLUMN,
      CUSTOMER_LINK,
      codeColumn('Id', 'internalAccountId'),
    ],
    body: async (row, visit) =>
      html`${isWaiting(row) ? '' : await nextView(returnableBalances, visit)}
      ${await historyView({ resources: [row.internalAccountId], visit })}`,
    actions: [RETURN_ACTION],
    versionOf: accountVersionOf,
    explain: (row, visit) => lastAction({ resources: [row.internalAccountId], visit }),
  },
}
