import { html, type Html } from '../../../pages/html.ts'
import { codeColumn, inWords, textColumn, timeColumn, amountColumn } from '../../cells/cells.ts'
import type { Column, Visit } from '../../section.ts'
import { tableView } from '../../cells/table-view.ts'
import { type Answer } from '../../../operator/command.ts'
import { type platformCommands } from '../../../operator/commands/service/platforms.ts'

export type PlatformPage = Answer<typeof platformCommands.show>
type ColumnsOf<T extends readonly unknown[]> = readonly Column<T[number]>[]

const inList = (codes: readonly string[]): string => codes.map(inWords).join(', ')

const TOKENS: ColumnsOf<PlatformPage['tokens']> = [
  textColumn('Name', 'name'),
  codeColumn('Client id', 'clientId'),
  { title: 'Permissions', cell: ({ permissions }) => inList(permissions) },
  timeColumn('Since', 'createdAt'),
]

const CURRENCIES: ColumnsOf<PlatformPage['currencies']> = [
  textColumn('Currency', 'currency'),
  amountColumn('At least', 'minAmount'),
  amountColumn('At most', 'maxAmount'),
  { title: 'Kinds of payment', cell: (row) => inList(row.enabledTransactionTypes) },
]

const FEES: ColumnsOf<PlatformPage['fees']['fixed']> = [
  textColumn('Currency', 'currency'),
  amountColumn('Per conversion', 'serviceFixed'),
  amountColumn('Per withdrawal', 'applicationFee'),
]

const LIMITS: ColumnsOf<PlatformPage['limits']> = [
  textColumn('Currency sent', 'currency'),
  { title: 'Towards', cell: ({ to }) => to ?? 'Any' },
  amountColumn('At once', 'maxTransaction'),
  amountColumn('On one day', 'dailyVolume'),
]

/** What we take of a conversion: hundredths of a percent as a percentage, by their digits. */
export const SHARE: Column<PlatformPage> = {
  title: 'Our share of a conversion',
  cell: ({ fees: { serviceBps } }) => {
    if (serviceBps === undefined) return 'As everybody’s'
    const digits = String(serviceBps).padStart(3, '0')
    return `${digits.slice(0, -2)}.${digits.slice(-2)} %`
  },
}

/** What is set for a platform. Of its tokens there is nothing to sign with. */
export function platformView(row: PlatformPage, visit: Visit): Html {
  return html`${tableView({ title: 'Tokens', columns: TOKENS, rows: row.tokens, empty: 'None: nobody can call the API.' }, visit)}
    ${tableView({ title: 'Currencies', columns: CURRENCIES, rows: row.currencies, empty: 'None.' }, visit)}
    ${tableView({ title: 'Fixed fees', columns: FEES, rows: row.fees.fixed, empty: 'None is set.' }, visit)}
    ${tableView({ title: 'Limits', columns: LIMITS, rows: row.limits, empty: 'None is set.' }, visit)}
    <h2>Webhook public key</h2>
    <pre tabindex="0"><code>${row.webhookPublicKey}</code></pre>`
}
