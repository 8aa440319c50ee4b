import type { Id } from '../../kernel/ids.ts'
import { defaultFunding } from '../internal-accounts/index.ts'
import { isCryptoNetwork, isPaymentRail } from './payment-rails.ts'
import { sandboxTransactionHash } from './rules.ts'
import type { TransactionSource } from './transaction.ts'

/** How money came in from outside. */
export type Arrival = Readonly<{
  /** The rail or network: which part of the WORLD it left. */
  via: string
  source: TransactionSource
}>

/** IACC-14: in the sandbox money comes the way that accounts of its currency are funded by default. */
export function sandboxArrival(id: Id<'transaction'>, currency: string): Arrival {
  const { rail, network } = defaultFunding(currency)
  const via = rail ?? network ?? ''
  return {
    via,
    source: {
      sourceType: 'REALTIME_FUNDING',
      currency,
      ...(isPaymentRail(via) && { paymentRail: via }),
      ...(isCryptoNetwork(via) && {
        onChainTransaction: { transactionHash: sandboxTransactionHash(id), network: via },
      }),
    },
  }
}
