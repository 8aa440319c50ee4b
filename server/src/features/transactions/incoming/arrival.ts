import { isCrypto } from '../../../kernel/money/currency.ts'
import { COIN_RAILS, isCryptoNetwork, isPaymentRail, PAYMENT_RAILS } from '../wire/rails.ts'
import type { TransactionSource } from '../record/transaction.ts'
import type { Id } from '../../../kernel/ids.ts'
import { defaultFunding } from '../../internal-accounts/index.ts'
import { sandboxTransactionHash } from '../record/rules.ts'

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

/** What the operator reports of money that came in over a rail. */
export type ArrivalReport = Readonly<{
  /** A payment rail for fiat, a network for coins. */
  rail: string
  /** What the bank or the chain calls the movement. */
  trace: string
  /** Who sent it. */
  sender: string | null
  /** What was written on it. */
  reference: string | null
  /** Absent where the operator reports it. */
  reportedBy?: Id<'provider'>
}>

/** Whether money of the currency can come in this way at all. */
export const isArrivalRail = (currency: string, rail: string): boolean =>
  (isCrypto(currency) ? COIN_RAILS : (PAYMENT_RAILS as readonly string[])).includes(rail)

/** Reported money as the source of a transaction, for whom it is said to be. */
export function reportedArrival(
  { rail, trace, sender, reference, reportedBy }: ArrivalReport,
  from: Pick<TransactionSource, 'currency'> & Readonly<{ customerId?: string }>,
): Arrival {
  const { currency = '', customerId } = from
  return {
    via: rail,
    source: {
      sourceType: 'REALTIME_FUNDING',
      currency,
      ...(customerId !== undefined && { customerId }),
      ...(reportedBy !== undefined && { reportedBy }),
      ...(sender !== null && { accountHolderName: sender }),
      ...(reference !== null && { remittanceInformation: reference }),
      ...(isPaymentRail(rail) && { paymentRail: rail, traceNumber: trace }),
      ...(isCryptoNetwork(rail) && {
        onChainTransaction: { transactionHash: trace, network: rail },
      }),
    },
  }
}
