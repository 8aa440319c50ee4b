import { defaultFunding } from '../../internal-accounts/index.ts'
import { networkOf } from '../../external-accounts/index.ts'
import {
  isCryptoNetwork,
  isPaymentRail,
  sandboxTransactionHash,
  type Arrival,
  type OutgoingTransaction,
} from '../../transactions/index.ts'

/** In the sandbox just-in-time funds arrive over the rail or network of the first funding instruction. */
export function fundingRouteOf({
  id,
  source,
  sent,
  paymentInstructions,
}: Pick<OutgoingTransaction, 'id' | 'source' | 'sent' | 'paymentInstructions'>): Arrival {
  const info = paymentInstructions?.[0]?.accountOrWalletInfo
  const { rail = '', network = '' } = defaultFunding(sent.currency)
  const rails = info?.['paymentRails']
  const chain = info?.['network'] ?? (info && networkOf(info))
  const named = Array.isArray(rails) ? rails[0] : chain
  const via = typeof named === 'string' ? named : rail || network
  return {
    via,
    source: {
      ...source,
      ...(isPaymentRail(via) && { paymentRail: via }),
      ...(isCryptoNetwork(via) && {
        onChainTransaction: { transactionHash: sandboxTransactionHash(id), network: via },
      }),
    },
  }
}
