import { toCents } from './amount.ts'
import type { Stablecoin } from '../coins/stablecoin.ts'
import type { DeliveryRail, EstimatedDelivery } from './stablecoin-operation.ts'

const TIMINGS: Readonly<Record<DeliveryRail, string>> = {
  WIRE: 'same day',
  ACH_CREDIT: '1-3 business days',
  SAME_DAY_ACH_CREDIT: 'same business day',
  RTP_CREDIT: 'within minutes',
}

/** What a burn pays out, in cents of the base currency, and how long its rail takes (STBL-20). */
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
