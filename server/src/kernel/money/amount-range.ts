import { fail, refuse, type ApiError, type ErrorDetails, type Refusal } from '../errors.ts'
import { AMOUNT_MAX } from './money.ts'
import { amountToWire } from './wire-money.ts'

/** What an amount may be, both bounds included, in smallest units of the currency; a bound that does not exist is left out. */
export type AmountRange = Readonly<{
  minimum?: bigint | undefined
  maximum?: bigint | undefined
  currency: string
}>

/** A bound beyond what any amount can be is none. */
const boundToWire = (bound: bigint | undefined): number | undefined =>
  bound === undefined || bound > AMOUNT_MAX ? undefined : amountToWire(bound)

function rangeToWire({ minimum, maximum, currency }: AmountRange): ErrorDetails {
  const [least, greatest] = [boundToWire(minimum), boundToWire(maximum)]
  return {
    ...(least !== undefined && { minimum: least }),
    ...(greatest !== undefined && { maximum: greatest }),
    currency,
  }
}

/** Says no to an amount, and which amounts would do. */
export const outOfRange = (range: AmountRange): Refusal =>
  refuse('AMOUNT_OUT_OF_RANGE', rangeToWire(range))

export const failOutOfRange = (range: AmountRange): never =>
  fail('AMOUNT_OUT_OF_RANGE', rangeToWire(range))

/** Whether an amount was refused; a posting is so where an account has no room for it. */
export const isOutOfRange = ({ code }: Pick<ApiError, 'code'>): boolean =>
  code === 'AMOUNT_OUT_OF_RANGE'
