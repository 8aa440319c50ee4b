import { findCurrency } from '../../kernel/money/currency.ts'
import { moneyToText } from '../../kernel/money/wire-money.ts'

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that hold an amount in the smallest unit of the row's `currency`. */
const AMOUNT = /^(?:amount|balance|available|held|total|shortfall)$|(?:Amount|Balance)$/

function moneyText(amount: unknown, currency: unknown): string | undefined {
  const code = isRow(currency) ? currency['code'] : currency
  if (typeof code !== 'string' || !findCurrency(code)) return undefined
  const isWhole = typeof amount === 'bigint' || Number.isSafeInteger(amount)
  if (!isWhole) return undefined
  const whole = BigInt(amount as number | bigint)
  const text = moneyToText({ amount: whole < 0n ? -whole : whole, currency: code })
  return whole < 0n ? `-${text}` : text
}

const listText = (values: readonly unknown[]): string =>
  values.some((value) => Object(value) === value) ? JSON.stringify(values) : values.join(', ')

const cell = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return listText(value)
  if (!isRow(value)) return String(value)
  return moneyText(value['amount'], value['currency']) ?? JSON.stringify(value)
}

/** An amount with its currency, as `82.71 USD`; anything else as it is (OPER-155). */
const cellIn = (row: Row, name: string): string =>
  (AMOUNT.test(name) ? moneyText(row[name], row['currency']) : undefined) ?? cell(row[name])

/** What a person looks for first, behind the id that a row begins with. */
const FIRST = [
  ...['status', 'state', 'result', 'amount', 'balance', 'available', 'held', 'type', 'name'],
  ...['customerName', 'method', 'path', 'error', 'at', 'createdAt', 'dueAt'],
]
/** Amounts show it already. */
const LAST = ['currency', 'platformId']
const CELL_MAX = 40
const GAP = 2

const rankOf = (name: string, index: number): number => {
  if (index === 0) return -1
  const rank = FIRST.indexOf(name)
  return rank >= 0 ? rank : FIRST.length + (LAST.includes(name) ? 1 : 0)
}

type Column = Readonly<{ name: string; width: number }>

/** As many columns as the terminal has room for, the most wanted ones first; all of them where there is none. */
function columnsOf(
  names: readonly string[],
  widthOf: (name: string) => number,
  room: number | undefined,
): readonly Column[] {
  if (room === undefined) return names.map((name) => ({ name, width: widthOf(name) }))
  const ranked = names
    .map((name, index) => ({
      name,
      width: index === 0 ? widthOf(name) : Math.min(widthOf(name), CELL_MAX),
      rank: rankOf(name, index),
    }))
    .toSorted((a, b) => a.rank - b.rank)
  let used = -GAP
  return ranked.filter(({ width }, index) => {
    const isRoom = index === 0 || used + GAP + width <= room
    if (isRoom) used += GAP + width
    return isRoom
  })
}

const fitted = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width)

function table(rows: readonly Row[], room: number | undefined): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const widthOf = (name: string): number =>
    Math.max(name.length, ...rows.map((row) => cellIn(row, name).length))
  const columns = columnsOf(names, widthOf, room)
  const line = (textOf: (name: string) => string): string =>
    columns
      .map(({ name, width }) => fitted(textOf(name), width))
      .join(' '.repeat(GAP))
      .trimEnd()
  const lines = [line((name) => name), ...rows.map((row) => line((name) => cellIn(row, name)))]
  const hidden = names.length - columns.length
  if (hidden > 0) lines.push(`${hidden} more columns: --json shows all.`)
  return lines.join('\n')
}

/** For people: a list as a table that fits into `room` characters, an object as lines. */
export function show(value: unknown, room?: number): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : table(value.filter(isRow), room)
  if (!isRow(value)) return cell(value)
  const width = Math.max(...Object.keys(value).map((name) => name.length))
  return Object.keys(value)
    .map((name) => {
      const block = blockOf(value[name])
      return block === undefined
        ? `${name.padEnd(width)}  ${cellIn(value, name)}`
        : `${name}\n${block.replaceAll(/^/gm, '  ')}`
    })
    .join('\n')
}

/** What stands below its name: a list of records as a table, a record as lines. Whole, since a finding must not be cut. */
function blockOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isRow) ? show(value) : undefined
  if (!isRow(value) || value instanceof Date || Object.keys(value).length === 0) return undefined
  return moneyText(value['amount'], value['currency']) === undefined ? show(value) : undefined
}
