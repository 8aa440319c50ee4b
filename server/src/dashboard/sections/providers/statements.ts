/** Two statements about one thing, line by line, so that a person sees what differs. */
import { isCurrencyCode } from '../../../kernel/money/currency.ts'
import { html, type Html } from '../../../pages/html.ts'
import { inWords, NOTHING, timeOf } from '../../cells/cells.ts'
import { readMoney, showMoney } from '../../cells/show-money.ts'
import { tableView } from '../../cells/table-view.ts'
import type { Row } from '../../ask.ts'
import type { Cell, Column, Visit } from '../../section.ts'

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const labelOf = (name: string): string => inWords(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))

/** Amounts in smallest units, which have their currency beside them. */
const AMOUNTS: readonly string[] = ['amount', 'settledAmount', 'returnedAmount', 'returned']

function moneyText(amount: unknown, currency: unknown): string | undefined {
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined
  const money = isCurrencyCode(currency) ? readMoney({ amount, currency }) : undefined
  return money ? showMoney(money) : `${amount} ${currency}`
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (!isRecord(value)) return String(value)
  const money = moneyText(value['amount'], value['currency'])
  const { description = '' } = value
  return money === undefined ? JSON.stringify(value) : `${money} ${String(description)}`.trim()
}

/** What statements call differently, or in a word too short to be understood. */
const NAMES: Readonly<Record<string, string>> = {
  failureReason: 'reason',
  at: 'time',
  sequence: 'reportNumber',
}
const UNSAID: readonly string[] = ['currency', 'orderId']

/** The lines of a statement by their labels. */
function linesOf(statement: Row, within = ''): ReadonlyMap<string, string> {
  const lines = Object.entries(statement).flatMap(([name, value]): [string, string][] => {
    if (UNSAID.includes(name) || value === undefined || value === null) return []
    const label = labelOf(`${within}${NAMES[name] ?? name}`)
    const money = AMOUNTS.includes(name) ? moneyText(value, statement['currency']) : undefined
    if (money !== undefined) return [[label, money]]
    const isAmount = isRecord(value) && moneyText(value['amount'], value['currency'])
    if (isRecord(value) && !isAmount) return [...linesOf(value, `${name} `)]
    return [[label, textOf(value)]]
  })
  return new Map(lines)
}

type Compared = Readonly<{ label: string; known: string | undefined; stated: string | undefined }>

const CODE = /^[A-Z]{4,}(_[A-Z]+)*$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}[\d:.]*Z$/

function shown(text: string | undefined): Cell {
  if (text === undefined) return NOTHING
  if (TIME.test(text)) return timeOf(text)
  return CODE.test(text) ? inWords(text) : text
}

/** A statement on its own, a line for each of its members but those that are said beside it. */
export const linesView = (statement: unknown, saidBeside: readonly string[] = []): Html =>
  html`${
    isRecord(statement)
      ? [...linesOf(statement)]
          .filter(([label]) => !saidBeside.includes(label))
          .map(([label, text]) => html`<div>${label}: ${shown(text)}</div>`)
      : String(statement)
  }`

const isDifferent = ({ known, stated }: Compared): boolean =>
  known !== undefined && stated !== undefined && known !== stated

const FIELD: Column<Compared> = { title: 'Field', cell: ({ label }) => label }
const KNOWN: Column<Compared> = { title: 'On record', cell: ({ known }) => shown(known) }
const STATED: Column<Compared> = {
  title: 'The provider says now',
  cell: (row) =>
    isDifferent(row)
      ? html`<span
          ><strong>${shown(row.stated)}</strong> <span class="badge bad">Differs</span></span
        >`
      : shown(row.stated),
}

type Statements = Readonly<{ known?: unknown; stated?: unknown }>

/** Side by side; one alone where there is no other. What else is known stands below. */
export function statementsView(details: Row, visit: Visit): Html {
  const { known, stated, ...rest }: Statements & Row = details
  const [before, now] = [isRecord(known) ? known : undefined, isRecord(stated) ? stated : undefined]
  const [left, right] = [linesOf(before ?? {}), linesOf(now ?? {})]
  const labels = [...new Set([...left.keys(), ...right.keys()])]
  const rows = labels.map((label) => ({
    label,
    known: left.get(label),
    stated: right.get(label),
  }))
  const columns = [FIELD, ...(before ? [KNOWN] : []), ...(now ? [STATED] : [])]
  const title = before && now ? 'Both statements' : before ? 'On record' : 'What was said'
  const others = [...linesOf(rest)].map(([label, stated]) => ({ label, known: undefined, stated }))
  const value: Column<Compared> = { title: 'Value', cell: ({ stated: said }) => shown(said) }
  return html`${rows.length === 0 ? '' : tableView({ title, columns, rows, empty: '' }, visit)}
  ${
    others.length === 0
      ? ''
      : tableView({ title: 'Details', columns: [FIELD, value], rows: others, empty: '' }, visit)
  }`
}
