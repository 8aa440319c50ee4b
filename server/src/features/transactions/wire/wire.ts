import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { amountToWire, moneyToWire } from '../../../kernel/money/wire-money.ts'
import type { Static } from '../../../infra/http/schema/type.ts'
import type { CardTransactionSchema } from './card-schema.ts'
import type { ListedTransaction } from '../record/row.ts'
import type { IncomingTransactionSchema, OutgoingTransactionSchema } from './schema.ts'
import type {
  IncomingTransaction,
  OutgoingTransaction,
  Refund,
  Transaction,
  TransactionSource,
} from '../record/transaction.ts'

export type WireIncomingTransaction = Static<typeof IncomingTransactionSchema>
export type WireOutgoingTransaction = Static<typeof OutgoingTransactionSchema>
export type WireTransaction = WireIncomingTransaction | WireOutgoingTransaction
type WireListedTransaction = WireTransaction | Static<typeof CardTransactionSchema>

type Owner = Readonly<{ customerId: Id<'customer'> | null; platformCustomerId: string | null }>

/** On the platform's own transactions both ids are the platform's (TXN-2). */
export function ownerToWire(
  platformId: Id<'platform'>,
  { customerId, platformCustomerId }: Owner,
): { customerId: string; platformCustomerId: string } {
  const platform = formatId('platform', platformId)
  return {
    customerId: customerId === null ? platform : formatId('customer', customerId),
    platformCustomerId: platformCustomerId ?? platform,
  }
}

/** Whatever stands in the list; a card's details are stored as they are shown. */
export function listedToWire(
  platformId: Id<'platform'>,
  listed: ListedTransaction,
): WireListedTransaction {
  if (listed.type !== 'CARD') return toWire(platformId, listed)
  return {
    ...listed.details,
    type: 'CARD',
    id: formatId('cardTransaction', listed.id),
    cardId: formatId('card', listed.cardId),
    ...ownerToWire(platformId, listed),
    status: listed.status,
    createdAt: toWireTime(listed.createdAt),
    updatedAt: toWireTime(listed.updatedAt),
  } as Static<typeof CardTransactionSchema>
}

export function toWire(platformId: Id<'platform'>, transaction: Transaction): WireTransaction {
  return transaction.type === 'INCOMING'
    ? incomingToWire(platformId, transaction)
    : outgoingToWire(platformId, transaction)
}

export function shownSource(source: TransactionSource): WireOutgoingTransaction['source'] {
  if (source.sourceType !== 'REALTIME_FUNDING') return source
  const { reportedBy: _, ...shown } = source
  return shown
}

export function incomingToWire(
  platformId: Id<'platform'>,
  transaction: IncomingTransaction,
): WireIncomingTransaction {
  const { status, source, sent, received, failureReason } = transaction
  return {
    ...commonToWire(platformId, transaction),
    type: 'INCOMING',
    status,
    direction: 'CREDIT',
    source: shownSource(source),
    ...(sent && { sentAmount: moneyToWire(sent) }),
    receivedAmount: moneyToWire(received),
    ...(failureReason && { failureReason }),
  }
}

/** Hides the payment instructions of a payment that was not authorized, or failed before funds came (SCA-42, SCA-56). */
export const isWithheld = ({
  status,
  refund,
  source,
}: Pick<OutgoingTransaction, 'status' | 'refund' | 'source'>): boolean =>
  source.sourceType === 'REALTIME_FUNDING' &&
  (status === 'PENDING_AUTHORIZATION' ||
    (status === 'FAILED' && !refund && !source.paymentRail && !source.onChainTransaction))

export function outgoingToWire(
  platformId: Id<'platform'>,
  transaction: OutgoingTransaction,
): WireOutgoingTransaction {
  const { status, direction, source, sent, received, platformFees, failureReason } = transaction
  const { paymentRail, railSelectionMode, settlementTimelineSeconds } = transaction
  const { expectedSettlementAt, paymentInstructions, rateDetails } = transaction
  return {
    ...commonToWire(platformId, transaction),
    type: 'OUTGOING',
    status,
    direction,
    source: shownSource(source),
    sentAmount: moneyToWire(sent),
    ...(received && { receivedAmount: moneyToWire(received) }),
    ...(platformFees !== null && { platformFees: amountToWire(platformFees) }),
    ...(paymentInstructions &&
      !isWithheld(transaction) && { paymentInstructions: [...paymentInstructions] }),
    ...(rateDetails && { rateDetails }),
    ...(failureReason && { failureReason }),
    ...(paymentRail && { paymentRail }),
    ...(railSelectionMode && { railSelectionMode }),
    ...(expectedSettlementAt && { expectedSettlementAt: toWireTime(expectedSettlementAt) }),
    ...(settlementTimelineSeconds !== null && { settlementTimelineSeconds }),
  }
}

function commonToWire(platformId: Id<'platform'>, transaction: Transaction) {
  const { pendingReason, destination, agentId, quoteId, fees, refund, exchangeRate } = transaction
  const { description, reconciliationReference, counterpartyInformation } = transaction
  const { settledAt, receiptDeliveryConfirmedAt, createdAt, updatedAt } = transaction
  return {
    id: formatId('transaction', transaction.id),
    ...(pendingReason && { pendingReason }),
    ...ownerToWire(platformId, transaction),
    destination,
    ...(fees !== null && { fees: amountToWire(fees) }),
    ...(exchangeRate !== null && { exchangeRate }),
    ...(quoteId && { quoteId: formatId('quote', quoteId) }),
    ...(agentId && { agentId: formatId('agent', agentId) }),
    ...(description !== null && { description }),
    ...(reconciliationReference && {
      reconciliationInstructions: { reference: reconciliationReference },
    }),
    ...(counterpartyInformation && { counterpartyInformation }),
    ...(refund && { refund: refundToWire(refund) }),
    ...(settledAt && { settledAt: toWireTime(settledAt) }),
    ...(receiptDeliveryConfirmedAt && {
      receiptDeliveryConfirmedAt: toWireTime(receiptDeliveryConfirmedAt),
    }),
    createdAt: toWireTime(createdAt),
    updatedAt: toWireTime(updatedAt),
  }
}

export function refundToWire({ reference, status, reason, initiatedAt, settledAt }: Refund) {
  return {
    reference,
    initiatedAt: toWireTime(initiatedAt),
    ...(settledAt && { settledAt: toWireTime(settledAt) }),
    status,
    reason,
  }
}
