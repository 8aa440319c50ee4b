import { isCrypto } from '../../kernel/currency.ts'
import { CRYPTO_NETWORKS, isCryptoNetwork, isPaymentRail, PAYMENT_RAILS } from './payment-rails.ts'
import type { Arrival } from './sandbox-arrival.ts'
import type { TransactionSource } from './transaction.ts'

/** What whoever watches a rail reports of money that came in over it. */
export type ArrivalReport = Readonly<{
  /** A payment rail for fiat, a network for coins. */
  rail: string
  /** What the bank or the chain calls the movement. */
  trace: string
  /** Who sent it. */
  sender: string | null
  /** What was written on it. */
  reference: string | null
}>

const COIN_RAILS: readonly string[] = [...CRYPTO_NETWORKS, 'LIGHTNING']

/** Whether money of the currency can come in this way at all. */
export const isArrivalRail = (currency: string, rail: string): boolean =>
  (isCrypto(currency) ? COIN_RAILS : (PAYMENT_RAILS as readonly string[])).includes(rail)

/** Reported money as the source of a transaction, for whom it is said to be. */
export function reportedArrival(
  { rail, trace, sender, reference }: ArrivalReport,
  from: Pick<TransactionSource, 'currency'> & Readonly<{ customerId?: string }>,
): Arrival {
  const { currency = '', customerId } = from
  return {
    via: rail,
    source: {
      sourceType: 'REALTIME_FUNDING',
      currency,
      ...(customerId !== undefined && { customerId }),
      ...(sender !== null && { accountHolderName: sender }),
      ...(reference !== null && { remittanceInformation: reference }),
      ...(isPaymentRail(rail) && { paymentRail: rail, traceNumber: trace }),
      ...(isCryptoNetwork(rail) && {
        onChainTransaction: { transactionHash: trace, network: rail },
      }),
    },
  }
}
