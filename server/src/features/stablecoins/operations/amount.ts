/** Amounts of a coin: decimal strings of its smallest unit on the wire (STBL-10). */
import type { Stablecoin } from '../coins/stablecoin.ts'
import type { DeliveryRail, EstimatedDelivery } from './stablecoin-operation.ts'

const AMOUNT_MAX = 2n ** 63n - 1n
const AMOUNT_DIGITS_MAX = AMOUNT_MAX.toString().length
const CENT_DECIMALS = 2

/** Undefined where the amount is zero, too large, or not a whole number of cents. */
export function parseCoinAmount(digits: string, decimals: number): bigint | undefined {
  const significant = digits.replace(/^0+/, '')
  if (significant === '' || significant.length > AMOUNT_DIGITS_MAX) return undefined
  const amount = BigInt(significant)
  if (amount > AMOUNT_MAX) return undefined
  return amount % unitsPerCent(decimals) === 0n ? amount : undefined
}

/** The amount that a bank account is paid (STBL-20). */
export function toCents(amount: bigint, decimals: number): bigint {
  return decimals < CENT_DECIMALS
    ? amount * 10n ** BigInt(CENT_DECIMALS - decimals)
    : amount / unitsPerCent(decimals)
}

const unitsPerCent = (decimals: number): bigint =>
  decimals > CENT_DECIMALS ? 10n ** BigInt(decimals - CENT_DECIMALS) : 1n

const TIMINGS: Readonly<Record<DeliveryRail, string>> = {
  WIRE: 'same day',
  ACH_CREDIT: '1-3 business days',
  SAME_DAY_ACH_CREDIT: 'same business day',
  RTP_CREDIT: 'within minutes',
}

/** The payout of a burn, in cents of the base currency, and the time that its rail takes (STBL-20). */
export function estimateDelivery(
  { baseCurrency, decimals }: Pick<Stablecoin, 'baseCurrency' | 'decimals'>,
  { amount, rail }: { amount: bigint; rail: DeliveryRail },
): EstimatedDelivery {
  return {
    rail,
    currency: baseCurrency,
    amount: toCents(amount, decimals).toString(),
    timing: TIMINGS[rail],
  }
}
