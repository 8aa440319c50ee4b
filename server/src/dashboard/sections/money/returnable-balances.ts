import { countReturnable } from '../../../features/internal-accounts/index.ts'
import { html } from '../../../pages/html.ts'
import type { Row } from '../../ask.ts'
import {
  ageColumn,
  codeColumn,
  idColumn,
  moneyColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textIn,
  timeColumn,
  valueIn,
} from '../../cells.ts'
import { pageOf } from '../../list-page.ts'
import type { Column, Section } from '../../section.ts'
import { showMoney } from '../../show-money.ts'
import { accountVersionOf, BALANCES, RETURN_ACTION } from '../customers/accounts.ts'
import { COUNT_BOUND, historyView, ifAny, lastAction, nextView, onAfter } from '../waiting.ts'

const idOf = (row: Row): string => textIn(row, 'internalAccountId') || textIn(row, 'accountId')
const isWaiting = (row: Row): boolean => valueIn(row, 'returnable') !== undefined

function titleOf(row: Row): string {
  const currency = textIn(row, 'currency')
  if (!isWaiting(row)) return `${currency} account`
  return `${showMoney({ amount: BigInt(textIn(row, 'available')), currency })} to return`
}

const CUSTOMER_LINK: Column = {
  title: 'Customer',
  cell: (row, visit) => {
    const id = textIn(row, 'customerId')
    return html`<a href="${pageOf(visit, { path: 'customers', id })}"><code>${id}</code></a>`
  },
}

export const returnableBalances: Section = {
  path: 'returns',
  title: 'Money to return',
  about:
    'Money of customers who were rejected or deleted. They cannot move it; you can return it to the platform. Oldest first.',
  count: ({ db }) => countReturnable(db.read, COUNT_BOUND),
  idOf,
  list: {
    command: 'accounts returnable',
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
    older: onAfter({ time: 'since', id: 'accountId' }),
  },
  detail: {
    command: 'accounts show',
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
      ${await historyView({ resources: [idOf(row)], visit })}`,
    actions: [RETURN_ACTION],
    versionOf: accountVersionOf,
    explain: (row, visit) => lastAction({ resources: [idOf(row)], visit }),
  },
}
