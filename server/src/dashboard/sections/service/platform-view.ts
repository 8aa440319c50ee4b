import { html, type Html } from '../../../pages/html.ts'
import { amountColumn } from '../../amount-column.ts'
import { rowsOf, type Row } from '../../ask.ts'
import { codeColumn, inWords, textColumn, textIn, timeColumn, valueIn } from '../../cells.ts'
import type { Column, Visit } from '../../section.ts'
import { tableView } from '../../table-view.ts'

const listColumn = (title: string, name: string): Column => ({
  title,
  cell: (row) => (row[name] as readonly string[]).map(inWords).join(', '),
})

const TOKENS = [
  textColumn('Name', 'name'),
  codeColumn('Client id', 'clientId'),
  listColumn('Permissions', 'permissions'),
  timeColumn('Since', 'createdAt'),
]

const CURRENCIES = [
  textColumn('Currency', 'currency'),
  amountColumn('At least', 'minAmount'),
  amountColumn('At most', 'maxAmount'),
  listColumn('Kinds of payment', 'enabledTransactionTypes'),
]

const FEES = [
  textColumn('Currency', 'currency'),
  amountColumn('Per conversion', 'serviceFixed'),
  amountColumn('Per withdrawal', 'applicationFee'),
]

const LIMITS = [
  textColumn('Currency sent', 'currency'),
  { ...textColumn('Towards', 'to'), cell: (row: Row) => textIn(row, 'to') || 'Any' },
  amountColumn('At once', 'maxTransaction'),
  amountColumn('On one day', 'dailyVolume'),
]

/** What we take of a conversion: hundredths of a percent as a percentage, by their digits. */
export const SHARE: Column = {
  title: 'Our share of a conversion',
  cell: (row) => {
    const bps = textIn(row, 'fees', 'serviceBps')
    if (bps === '') return 'As everybody’s'
    const digits = bps.padStart(3, '0')
    return `${digits.slice(0, -2)}.${digits.slice(-2)} %`
  },
}

/** What is set for a platform. Of its tokens there is nothing to sign with. */
export function platformView(row: Row, visit: Visit): Html {
  const rows = (...path: string[]): readonly Row[] => rowsOf(valueIn(row, ...path))
  return html`${tableView({ title: 'Tokens', columns: TOKENS, rows: rows('tokens'), empty: 'None: nobody can call the API.' }, visit)}
    ${tableView({ title: 'Currencies', columns: CURRENCIES, rows: rows('currencies'), empty: 'None.' }, visit)}
    ${tableView({ title: 'Fixed fees', columns: FEES, rows: rows('fees', 'fixed'), empty: 'None is set.' }, visit)}
    ${tableView({ title: 'Limits', columns: LIMITS, rows: rows('limits'), empty: 'None is set.' }, visit)}
    <h2>Webhook public key</h2>
    <pre tabindex="0"><code>${textIn(row, 'webhookPublicKey')}</code></pre>`
}
