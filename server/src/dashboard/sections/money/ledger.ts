import { html, type Html } from '../../../pages/html.ts'
import { amountColumn } from '../../amount-column.ts'
import type { Row } from '../../ask.ts'
import { codeColumn, figureColumn, statusColumn, textIn, valueIn } from '../../cells.ts'
import type { Column, Section } from '../../section.ts'

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

const MEANING: Column = {
  title: 'What it is',
  cell: (row) => meaningOf(textIn(row, 'accountClass')),
}

/** Every finding is shown: each is a reason to stop and look (docs/runbooks). */
function checkView(answer: Row): Html {
  const problems = valueIn(answer, 'problems') as readonly string[]
  const entries = textIn(answer, 'entries')
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

export const ledger: Section = {
  path: 'ledger',
  title: 'Ledger',
  about: 'What the book holds. Sandbox and production are never added up together.',
  list: {
    command: 'ledger balances',
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
  actions: [
    {
      name: 'check',
      label: 'Check the ledger',
      command: 'ledger check',
      tone: 'good',
      about: 'Verifies every journal and every balance in one snapshot, beside traffic.',
      showsAnswer: true,
      answerView: checkView,
      done: 'Ledger check',
    },
  ],
}
