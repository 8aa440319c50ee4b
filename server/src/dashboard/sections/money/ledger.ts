import { html, type Html } from '../../../pages/html.ts'
import { codeColumn, figureColumn, statusColumn, amountColumn } from '../../cells/cells.ts'
import type { Column, Section, Action } from '../../section.ts'
import { ledgerCommands } from '../../../operator/commands/money/ledger.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof ledgerCommands.balances>[number]
type Check = Answer<typeof ledgerCommands.check>

/** As the chart of accounts explains them. */
const CLASSES: Readonly<Record<string, string>> = {
  'IA:available': 'What owners may spend',
  'IA:held': 'What is promised and not gone yet',
  TRANSIT: 'On its way',
  'SUSPENSE:refund_failed': 'Refunds that could not be given back',
  'SUSPENSE:unattributed': 'Deposits that are nobody’s yet',
  'RECEIVABLE:platform': 'What platforms owe us',
  CARD_RESERVE: 'Pulled for cards, not cleared yet',
  CARD_SHORTFALL: 'Borne for cards, not recovered yet',
  'REVENUE:fees': 'Fees earned',
  FX: 'Position in the currency, and rounding',
  CARD_NETWORK: 'With the card network',
}

const meaningOf = (name: string): string =>
  CLASSES[name] ?? (name.startsWith('WORLD:') ? 'With the outside' : '')

const MEANING: Column<Line> = {
  title: 'What it is',
  cell: ({ accountClass }) => meaningOf(accountClass),
}

/** Every finding is shown: each is a reason to stop and look (docs/runbooks). */
function checkView({ problems, entries: count }: Check): Html {
  const entries = String(count)
  if (problems.length === 0) {
    return html`<p class="notice" role="status">
      The book is sound: ${entries} entries, no problem.
    </p>`
  }
  return html`<div class="problem" role="alert">
    <strong
      >The book is not sound: ${String(problems.length)} problems in ${entries} entries.</strong
    >
    <ul>
      ${problems.map((one) => html`<li>${one}</li>`)}
    </ul>
  </div>`
}

const CHECK: Action<object, Check> = {
  name: 'check',
  label: 'Check the ledger',
  command: ledgerCommands.check,
  tone: 'good',
  about: 'Verifies every journal and every balance in one snapshot, beside traffic.',
  showsAnswer: true,
  answerView: checkView,
  done: 'Ledger check',
}

export const ledger: Section<Line> = {
  path: 'ledger',
  title: 'Ledger',
  about: 'What the book holds. Sandbox and production are never added up together.',
  list: {
    command: ledgerCommands.balances,
    caption: 'Balances by class and currency',
    byPlatform: true,
    views: [
      { name: 'exceptions', title: 'Unallocated', options: { exceptions: true } },
      { name: 'all', title: 'All accounts' },
    ],
    columns: [
      codeColumn('Class', 'accountClass'),
      MEANING,
      amountColumn('Balance', 'amount'),
      figureColumn('Accounts', 'accounts'),
      statusColumn('Environment', 'environment'),
    ],
    empty: 'Nothing: no money is without a home, and no platform owes any.',
  },
  actions: [CHECK],
}
