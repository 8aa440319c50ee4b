/** What was typed into the search, read in each way that it can be meant. */
import { CURRENCIES, findCurrency } from '../../kernel/money/currency.ts'
import type { ExactAmount } from './search-store.ts'

const AMOUNT = /^(\d[\d,]*)(?:\.(\d+))?\s*([A-Za-z]{3,5})?$/

/** `82.71` in every currency that has as many decimals; `82.71 USD` in that one. */
export function readAmounts(text: string): readonly ExactAmount[] {
  const [, whole = '', decimals = '', code] = AMOUNT.exec(text) ?? []
  if (whole === '' || whole.length + decimals.length > 18) return []
  const named = code === undefined ? undefined : findCurrency(code.toUpperCase())
  const currencies = code === undefined ? CURRENCIES : named ? [named] : []
  return currencies.flatMap(({ code: currency, decimals: places }) =>
    decimals.length > places
      ? []
      : [{ amount: BigInt(whole.replaceAll(',', '') + decimals.padEnd(places, '0')), currency }],
  )
}

/** The end of an id as lists print it: `…1a2b3c4d`, with or without the kind before it. */
export const readIdEnd = (text: string): string | undefined =>
  /^(?:[A-Za-z]+:)?…?([0-9a-f]{8})$/i.exec(text)?.[1]?.toLowerCase()

/** Digits with what people write between them. */
export const readPhone = (text: string): string | undefined =>
  /^\+?[\d\s()./-]{7,24}$/.test(text) ? `+${text.replaceAll(/\D/g, '')}` : undefined
