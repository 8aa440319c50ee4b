import type { Money } from '../../../kernel/money.ts'
import type { Work } from '../../../infra/work.ts'
import {
  findServiceFees,
  saveFixedFees,
  saveServiceFeeBps,
  type ServiceFees,
} from '../prices/store.ts'

export type ServiceFeeChange = Readonly<{
  bps?: number | undefined
  /** Per conversion that sends the currency. */
  conversion?: Money | undefined
  /** Per withdrawal of the coin over a network (FEE-9). */
  withdrawal?: Money | undefined
}>

/**
 * Sets what the service charges a platform, as far as it is given; quotes that exist keep their price (FEE-1).
 * Refuses nothing: the operator's word is law. Answers all that is set.
 */
export async function setServiceFees(
  { tx, platform }: Work,
  { bps, conversion, withdrawal }: ServiceFeeChange,
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
  return findServiceFees(tx, platform.id)
}
