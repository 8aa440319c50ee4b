/** Filters that several lists have. */
import { ARRIVAL_RAILS } from '../../features/transactions/index.ts'
import { CURRENCIES } from '../../kernel/money/currency.ts'
import { inWords } from '../cells/cells.ts'
import type { Choice, Filter } from '../section.ts'

/** Our own words as people write them. */
export const choices = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: inWords(value) }))

/** Values that are shown as they are. */
export const plainChoices = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: value }))

export const CURRENCY_FILTER: Filter = {
  name: 'currency',
  label: 'Currency',
  choices: plainChoices(CURRENCIES.map(({ code }) => code)),
}

export const CUSTOMER_FILTER: Filter = {
  name: 'customer',
  label: 'Customer',
  placeholder: 'Customer:…',
}

export const PERIOD_FILTERS: readonly Filter[] = [
  { name: 'since', label: 'From (UTC)', kind: 'day' },
  { name: 'until', label: 'To (UTC)', kind: 'day' },
]

export const AMOUNT_FILTERS: readonly Filter[] = [
  CURRENCY_FILTER,
  { name: 'amount-min', label: 'Amount from', kind: 'amount' },
  { name: 'amount-max', label: 'Amount to', kind: 'amount' },
]

export const RAIL_FILTER: Filter = {
  name: 'rail',
  label: 'Rail',
  choices: plainChoices(ARRIVAL_RAILS),
}
