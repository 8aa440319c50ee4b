import { isCrypto } from '../../../kernel/money/currency.ts'
import { COIN_RAILS, isCryptoNetwork, isPaymentRail, PAYMENT_RAILS } from '../wire/rails.ts'
import type { TransactionSource } from '../record/transaction.ts'
import type { Id } from '../../../kernel/ids.ts'
import { defaultFunding } from '../../internal-accounts/index.ts'
import { sandboxTransactionHash } from '../record/rules.ts'

/** How money came in from outside. */
export type Arrival = Readonly<{
  /** The rail or network, which the ledger books under WORLD. */
  via: string
  source: TransactionSource
}>

/** In the sandbox money arrives over the default rail or network of its currency (IACC-14). */
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

/** A report of money that came in over a rail. */
export type ArrivalReport = Readonly<{
  /** A payment rail for fiat, a network for coins. */
  rail: string
  /** The bank's or network's own id of the movement. */
  trace: string
  /** The name of the sender. */
  sender: string | null
  /** The remittance text. */
  reference: string | null
  /** Absent where the operator reports it. */
  reportedBy?: Id<'provider'>
}>

/** Whether the currency can come in over this rail. */
export const isArrivalRail = (currency: string, rail: string): boolean =>
  (isCrypto(currency) ? COIN_RAILS : (PAYMENT_RAILS as readonly string[])).includes(rail)

/** A report as the source of a transaction. */
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
