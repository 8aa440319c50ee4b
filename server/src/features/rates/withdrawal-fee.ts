import { NETWORKS } from './networks.ts'
import type { NetworkName } from './networks.ts'
import type { OutOfRange } from './price.ts'

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
 * FEE-9: what taking crypto out costs and what arrives. `feeInCurrency` is networkFeeIn the withdrawn currency.
 * Refuses: AMOUNT_OUT_OF_RANGE where nothing would arrive.
 */
export function withdrawalFee({
  amount,
  network,
  feeInCurrency,
  applicationFee,
}: {
  amount: bigint
  network: NetworkName
  feeInCurrency: bigint
  applicationFee: bigint
}): WithdrawalFee | OutOfRange {
  const { fee, feeAsset } = NETWORKS[network]
  const totalFee = feeInCurrency + applicationFee
  const netAmount = amount - totalFee
  if (netAmount < 1n) return { ok: false, code: 'AMOUNT_OUT_OF_RANGE' }
  return {
    ok: true,
    networkFee: fee,
    networkFeeAsset: feeAsset,
    applicationFee,
    totalFee,
    netAmount,
  }
}
