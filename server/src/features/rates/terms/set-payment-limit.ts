import type { Work } from '../../../infra/work.ts'
import { savePaymentLimit, type PaymentLimit } from '../prices/store.ts'

/**
 * Sets the limits on what a platform sends in a currency, as a whole or towards another one, as far as they are given
 * (LIM-1, LIM-3). Refuses nothing. Answers all that is set there.
 */
export function setPaymentLimit(
  { tx, platform }: Work,
  limit: PaymentLimit,
): Promise<PaymentLimit> {
  return savePaymentLimit(tx, platform.id, limit)
}
