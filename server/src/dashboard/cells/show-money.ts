/** Amounts for people: in whole units of the currency, exact whatever their size. */
import { currencyOf } from '../../kernel/money/currency.ts'
import type { Money } from '../../kernel/money/money.ts'
import { moneyToText } from '../../kernel/money/wire-money.ts'

/** `1,234.50 USD`. */
export function showMoney({ amount, currency }: Money): string {
  const sign = amount < 0n ? '−' : ''
  const text = moneyToText({ amount: amount < 0n ? -amount : amount, currency })
  const point = text.search(/[. ]/)
  const whole = text.slice(0, point).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `${sign}${whole}${text.slice(point)}`
}

type Shape = Readonly<{ amount: number; currency: string | Readonly<{ code: string }> }>

/** An amount as commands and the API answer it; undefined for anything else. */
export function readMoney(value: unknown): Money | undefined {
  const { amount, currency } = (value ?? {}) as Partial<Shape>
  const code = typeof currency === 'object' ? currency.code : currency
  if (typeof amount !== 'number' || code === undefined) return undefined
  return { amount: BigInt(amount), currency: currencyOf(code).code }
}
