/**
 * Amounts are whole numbers of a currency's smallest unit, on the wire and here: 1,999 is 19.99 USD. These two turn them
 * into what people read and write, digit by digit; no amount ever passes through a fraction.
 */

/** As every answer brings it along. */
export interface AmountCurrency {
  code: string
  decimals: number
}

/** `19.99 USD` for 1,999. */
export function formatAmount(amount: number, { code, decimals }: AmountCurrency): string {
  const digits = wholeNumber(Math.abs(amount)).padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  const text = decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`
  return `${amount < 0 ? '-' : ''}${text} ${code}`
}

/** 1,999 for `19.99`. Refuses what the currency cannot hold, such as a tenth of a cent. */
export function parseAmount(text: string, { code, decimals }: AmountCurrency): number {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > decimals) {
    throw new RangeError(`${JSON.stringify(text)} is no amount of ${code}`)
  }
  const amount = Number(`${sign}${whole}${fraction.padEnd(decimals, '0')}`)
  wholeNumber(amount)
  return amount
}

function wholeNumber(amount: number): string {
  if (!Number.isSafeInteger(amount)) {
    throw new RangeError(`${amount} is no whole number of smallest units`)
  }
  return String(amount)
}
