import { html } from '../pages/html.ts'
import { NOTHING, textIn, valueIn } from './cells.ts'
import type { Column } from './section.ts'
import { showMoney } from './show-money.ts'

/** An amount in smallest units of the row's `currency`; sums of many come as text, since no float holds them. */
export const amountColumn = (title: string, name: string): Column => ({
  title,
  isFigure: true,
  cell: (row) => {
    const amount = valueIn(row, name)
    if (typeof amount !== 'number' && typeof amount !== 'string') return NOTHING
    const money = { amount: BigInt(amount), currency: textIn(row, 'currency') }
    return html`<span class="money">${showMoney(money)}</span>`
  },
})
