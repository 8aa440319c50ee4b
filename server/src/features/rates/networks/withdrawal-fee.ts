import { outOfRange } from '../../../kernel/money/amount-range.ts'
import type { Refusal } from '../../../kernel/errors.ts'
import { NETWORKS } from './networks.ts'
import type { NetworkName } from './networks.ts'

export type WithdrawalFee = Readonly<{
  ok: true
  /** In smallest units of the network's own gas asset. */
  networkFee: bigint
  networkFeeAsset: string
  applicationFee: bigint
  totalFee: bigint
  netAmount: bigint
}>

/**
 * The cost of a withdrawal of coins and the amount that arrives (FEE-9).
 * Refuses: AMOUNT_OUT_OF_RANGE where nothing would arrive, with the least amount that would.
 */
export function withdrawalFee({
  amount,
  currency,
  network,
  networkFee,
  applicationFee,
}: Readonly<{
  amount: bigint
  currency: string
  network: NetworkName
  networkFee: Readonly<{ fee: bigint; cost: bigint }>
  applicationFee: bigint
}>): WithdrawalFee | Refusal {
  const totalFee = networkFee.cost + applicationFee
  const netAmount = amount - totalFee
  if (netAmount < 1n) return outOfRange({ minimum: totalFee + 1n, currency })
  return {
    ok: true,
    networkFee: networkFee.fee,
    networkFeeAsset: NETWORKS[network].feeAsset,
    applicationFee,
    totalFee,
    netAmount,
  }
}
