import type { Money } from '../../../kernel/money/money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { dropCachedRates } from '../prices/store.ts'
import {
  findServiceFees,
  saveFixedFees,
  savePaymentLimit,
  saveServiceFeeBps,
  saveSpread,
  type PaymentLimit,
  type ServiceFees,
  type Spread,
} from './store.ts'

export type ServiceFeeChange = Readonly<{
  bps?: number | undefined
  /** For each conversion that sends the currency. */
  conversion?: Money | undefined
  /** For each withdrawal of the coin over a network (FEE-9). */
  withdrawal?: Money | undefined
  /** Part of the rate itself (PROV-133). */
  spread?: Spread | undefined
}>

/**
 * Sets the service fees of a platform that the change names; existing quotes keep their price (FEE-1). Refuses nothing.
 * Answers all service fees of the platform.
 */
export async function setServiceFees(
  { tx, platform }: Work,
  { bps, conversion, withdrawal, spread }: ServiceFeeChange,
): Promise<ServiceFees> {
  if (bps !== undefined) await saveServiceFeeBps(tx, platform.id, bps)
  if (conversion) {
    const { currency, amount: conversionFee } = conversion
    await saveFixedFees(tx, platform.id, { currency, conversionFee, withdrawalFee: undefined })
  }
  if (withdrawal) {
    const { currency, amount: withdrawalFee } = withdrawal
    await saveFixedFees(tx, platform.id, { currency, conversionFee: undefined, withdrawalFee })
  }
  if (spread) {
    await saveSpread(tx, platform.id, spread)
    dropCachedRates(tx, platform.id)
  }
  return findServiceFees(tx, platform.id)
}

/**
 * Sets a platform's limits on sending a currency, as a whole or towards one receiving currency; null keeps a limit (LIM-1,
 * LIM-3). Refuses nothing. Answers both limits.
 */
export function setPaymentLimit(
  { tx, platform }: Work,
  limit: PaymentLimit,
): Promise<PaymentLimit> {
  return savePaymentLimit(tx, platform.id, limit)
}
