import { Type } from '../../../infra/http/schema/type.ts'
import {
  idField,
  listOf,
  MoneySchema,
  object,
  oneOf,
  taggedUnion,
  timestamp,
} from '../../../infra/http/schema/wire-schema.ts'
import { PaymentInstructionsSchema } from '../../internal-accounts/lists.ts'
import { CardTransactionSchema } from './card-schema.ts'
import {
  INCOMING_FAILURE_REASONS,
  OUTGOING_FAILURE_REASONS,
  REFUND_REASONS,
} from '../../../kernel/failure-reasons.ts'
import { CRYPTO_NETWORKS, PAYMENT_RAILS } from './rails.ts'
import { PENDING_REASONS } from '../record/transaction.ts'

/** CREATED and REFUNDED are the interface's, and are never written. */
export const TRANSACTION_STATUSES = [
  'CREATED',
  'PENDING',
  'PENDING_AUTHORIZATION',
  'PROCESSING',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'REFUNDED',
  'EXPIRED',
] as const

const OUTGOING_STATUSES = [
  'PENDING',
  'PENDING_AUTHORIZATION',
  'EXPIRED',
  'PROCESSING',
  'COMPLETED',
  'REJECTED',
  'FAILED',
] as const

const smallestUnits = Type.Integer({ format: 'int64', minimum: 0 })

const OnChainTransactionSchema = object('OnChainTransaction', {
  transactionHash: Type.String(),
  network: oneOf(CRYPTO_NETWORKS),
})

const account = {
  accountId: Type.String(),
  currency: Type.Optional(Type.String()),
  onChainTransaction: Type.Optional(OnChainTransactionSchema),
}

const uma = { umaAddress: Type.String(), currency: Type.Optional(Type.String()) }

const SourceSchema = taggedUnion({ name: 'TransactionSourceOneOf', tag: 'sourceType' }, [
  object('AccountTransactionSource', { sourceType: oneOf(['ACCOUNT']), ...account }),
  object('UmaAddressTransactionSource', { sourceType: oneOf(['UMA_ADDRESS']), ...uma }),
  object('RealtimeFundingTransactionSource', {
    sourceType: oneOf(['REALTIME_FUNDING']),
    customerId: Type.Optional(Type.String()),
    currency: Type.String(),
    accountHolderName: Type.Optional(Type.String()),
    accountIdentifier: Type.Optional(Type.String()),
    bankName: Type.Optional(Type.String()),
    bankIdentifier: Type.Optional(Type.String()),
    paymentRail: Type.Optional(oneOf(PAYMENT_RAILS)),
    remittanceInformation: Type.Optional(Type.String()),
    endToEndId: Type.Optional(Type.String()),
    traceNumber: Type.Optional(Type.String()),
    onChainTransaction: Type.Optional(OnChainTransactionSchema),
  }),
])

const DestinationSchema = taggedUnion(
  { name: 'TransactionDestinationOneOf', tag: 'destinationType' },
  [
    object('AccountTransactionDestination', { destinationType: oneOf(['ACCOUNT']), ...account }),
    object('UmaAddressTransactionDestination', { destinationType: oneOf(['UMA_ADDRESS']), ...uma }),
  ],
)

const RefundSchema = object('Refund', {
  reference: Type.String(),
  initiatedAt: timestamp(),
  settledAt: Type.Optional(timestamp()),
  status: oneOf(['PENDING', 'COMPLETED', 'FAILED']),
  reason: Type.Optional(oneOf(REFUND_REASONS)),
})

const ReconciliationInstructionsSchema = object('ReconciliationInstructions', {
  reference: Type.Optional(Type.String()),
  transactionHash: Type.Optional(Type.String({ deprecated: true })),
})

export const RateDetailsSchema = object('OutgoingRateDetails', {
  counterpartyMultiplier: Type.Number({ exclusiveMinimum: 0 }),
  counterpartyFixedFee: smallestUnits,
  serviceApiMultiplier: Type.Number({ exclusiveMinimum: 0 }),
  serviceApiFixedFee: smallestUnits,
  serviceApiVariableFeeRate: Type.Number({ minimum: 0 }),
  serviceApiVariableFeeAmount: Type.Number({ minimum: 0 }),
})

export const CounterpartyInformationSchema = object('CounterpartyInformation', {})

const common = {
  id: idField('transaction'),
  pendingReason: Type.Optional(oneOf(PENDING_REASONS)),
  direction: oneOf(['CREDIT', 'DEBIT']),
  destination: DestinationSchema,
  customerId: Type.String({ description: "On the platform's own transactions the platform's id." }),
  platformCustomerId: Type.String(),
  settledAt: Type.Optional(timestamp()),
  createdAt: Type.Optional(timestamp()),
  updatedAt: Type.Optional(timestamp()),
  receiptDeliveryConfirmedAt: Type.Optional(timestamp()),
  agentId: Type.Optional(idField('agent')),
  description: Type.Optional(Type.String()),
  exchangeRate: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  quoteId: Type.Optional(idField('quote')),
  refund: Type.Optional(RefundSchema),
  counterpartyInformation: Type.Optional(CounterpartyInformationSchema),
  fees: Type.Optional(smallestUnits),
  reconciliationInstructions: Type.Optional(ReconciliationInstructionsSchema),
}

export const IncomingTransactionSchema = object('IncomingTransaction', {
  ...common,
  type: oneOf(['INCOMING']),
  status: oneOf(TRANSACTION_STATUSES),
  source: Type.Optional(SourceSchema),
  sentAmount: Type.Optional(MoneySchema),
  receivedAmount: MoneySchema,
  failureReason: Type.Optional(oneOf(INCOMING_FAILURE_REASONS)),
})

export const OutgoingTransactionSchema = object('OutgoingTransaction', {
  ...common,
  type: oneOf(['OUTGOING']),
  status: oneOf(OUTGOING_STATUSES),
  source: SourceSchema,
  sentAmount: MoneySchema,
  receivedAmount: Type.Optional(MoneySchema),
  platformFees: Type.Optional(smallestUnits),
  paymentInstructions: Type.Optional(Type.Array(PaymentInstructionsSchema)),
  rateDetails: Type.Optional(RateDetailsSchema),
  failureReason: Type.Optional(oneOf(OUTGOING_FAILURE_REASONS)),
  paymentRail: Type.Optional(oneOf(PAYMENT_RAILS)),
  railSelectionMode: Type.Optional(oneOf(['AUTO', 'MANUAL'])),
  expectedSettlementAt: Type.Optional(timestamp()),
  settlementTimelineSeconds: Type.Optional(Type.Integer()),
})

export const TransactionSchema = taggedUnion({ name: 'TransactionOneOf', tag: 'type' }, [
  IncomingTransactionSchema,
  OutgoingTransactionSchema,
  CardTransactionSchema,
])

export const TransactionListSchema = listOf('TransactionListResponse', TransactionSchema, {
  total: true,
})
