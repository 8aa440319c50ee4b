import { fail, refuse, type ApiError, type ErrorDetails, type Refusal } from '../errors.ts'
import { AMOUNT_MAX } from './money.ts'
import { amountToWire } from './wire-money.ts'

/** The allowed amounts in smallest units, both bounds included; undefined for no bound. */
export type AmountRange = Readonly<{
  minimum?: bigint | undefined
  maximum?: bigint | undefined
  currency: string
}>

/** A bound above the largest amount of any request bounds nothing, so it is not shown. */
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

/** The refusal of an amount, with the allowed ones. */
export const outOfRange = (range: AmountRange): Refusal =>
  refuse('AMOUNT_OUT_OF_RANGE', rangeToWire(range))

export const failOutOfRange = (range: AmountRange): never =>
  fail('AMOUNT_OUT_OF_RANGE', rangeToWire(range))

/** Whether an amount was refused; a posting fails with the same code where it would overfill an account. */
export const isOutOfRange = ({ code }: Pick<ApiError, 'code'>): boolean =>
  code === 'AMOUNT_OUT_OF_RANGE'
