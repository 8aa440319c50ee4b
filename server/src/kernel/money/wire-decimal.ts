import { invariant } from '../invariant.ts'

/**
 * The one place where an exact decimal becomes a JSON number. It is for display rates and multipliers, which no
 * amount is ever computed from; amounts cross in wire-money.ts.
 */
export function decimalToWire(text: string): number {
  invariant(/^\d+(\.\d+)?$/.test(text), `${text} is not a plain decimal.`)
  const value = Number(text)
  invariant(Number.isFinite(value), `${text} does not fit a JSON number.`)
  return value
}
