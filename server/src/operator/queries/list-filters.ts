/** The options that narrow a list to a time, an amount and a rail: the same of every list that has them (OPER-120). */
import { addMs, DAY_MS, isCalendarDate, parseWireTime } from '../../kernel/clock.ts'
import { parseId, type Id } from '../../kernel/ids.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { AMOUNT_MAX } from '../../kernel/money/money.ts'
import type { AmountFilter, Period } from '../../kernel/page.ts'
import { UsageError, type Input, type Option } from '../command.ts'
import { readAmounts } from './read-typed.ts'

export const LIMIT: Option = { about: 'At most this many (default 50).', value: 'N' }
export const PLATFORM: Option = { about: 'Only of this platform.', value: 'ID' }
export const ONE_PLATFORM: Option = { about: 'The platform.', value: 'ID', required: true }

export function limitOf(input: Input): number {
  const limit = Number(input.option('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError('--limit is a whole number from 1.')
  return limit
}

export const PERIOD_OPTIONS: Readonly<Record<'since' | 'until', Option>> = {
  since: { about: 'Only from this day (UTC) or time on.', value: 'DAY|TIME' },
  until: { about: 'Only to the end of this day (UTC), or before this time.', value: 'DAY|TIME' },
}

export const AMOUNT_OPTIONS: Readonly<Record<'currency' | 'amount-min' | 'amount-max', Option>> = {
  currency: { about: 'Only in this currency.', value: 'CODE' },
  'amount-min': { about: 'Only this much of the currency or more, as 82.71.', value: 'AMOUNT' },
  'amount-max': { about: 'Only this much of the currency or less, as 82.71.', value: 'AMOUNT' },
}

/** The option as a time; a day is its midnight (UTC) plus `wholeDayMs`, so that `until` includes the whole day. */
function timeIn(input: Input, name: string, wholeDayMs: number): Date | undefined {
  const text = input.option(name)
  if (text === undefined) return undefined
  const day = isCalendarDate(text) ? parseWireTime(`${text}T00:00:00Z`) : undefined
  const time = day ? addMs(day, wholeDayMs) : parseWireTime(text)
  if (time) return time
  throw new UsageError(`--${name} is a day as 2026-01-31, or a time as 2026-01-31T12:00:00Z.`)
}

export function periodOf(input: Input): Period {
  const [since, until] = [timeIn(input, 'since', 0), timeIn(input, 'until', DAY_MS)]
  if (since && until && since >= until) throw new UsageError('--until has to be after --since.')
  return { since, until }
}

function amountIn(input: Input, name: string, currency: string): bigint | undefined {
  const text = input.option(name)
  if (text === undefined) return undefined
  const amount = readAmounts(`${text} ${currency}`)[0]?.amount
  if (amount !== undefined) return amount
  throw new UsageError(
    `--${name} is an amount as 82.71, with no more decimals than ${currency} has.`,
  )
}

export function currencyIn(input: Input): string | undefined {
  const code = input.option('currency')
  if (code === undefined) return undefined
  const currency = findCurrency(code.toUpperCase())?.code
  if (currency === undefined) throw new UsageError(`--currency is no known currency: ${code}.`)
  return currency
}

export function amountRangeOf(input: Input): AmountFilter | undefined {
  const currency = currencyIn(input)
  if (currency === undefined) {
    const hasBound = ['amount-min', 'amount-max'].some((name) => input.option(name) !== undefined)
    if (hasBound) throw new UsageError('--currency is needed with an amount.')
    return undefined
  }
  const min = amountIn(input, 'amount-min', currency) ?? 0n
  const max = amountIn(input, 'amount-max', currency) ?? AMOUNT_MAX
  if (min > max) throw new UsageError('--amount-max has to be at least --amount-min.')
  return { currency, min, max }
}

export function customerIn(input: Input): Id<'customer'> | undefined {
  const text = input.option('customer')
  const id = text === undefined ? undefined : parseId('customer', text)
  if (text !== undefined && !id)
    throw new UsageError('--customer is the id of a customer, as Customer:….')
  return id
}
