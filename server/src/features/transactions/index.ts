export { CardTransactionSchema } from './card-transaction-schema.ts'
export { deposit, type DepositInput } from './deposit.ts'
export type {
  IncomingFailureReason,
  OutgoingFailureReason,
  RefundReason,
} from './failure-reasons.ts'
export { incoming, outgoing, refund } from './machine.ts'
export type {
  IncomingEvent,
  IncomingStatus,
  OutgoingEvent,
  OutgoingStatus,
  RefundEvent,
  RefundStatus,
} from './machine.ts'
export { CRYPTO_NETWORKS, PAYMENT_RAILS } from './payment-rails.ts'
export type { CryptoNetwork, PaymentRail } from './payment-rails.ts'
export { routes } from './routes.ts'
export { ownerOf, refundTargetOf, sandboxTransactionHash } from './rules.ts'
export type { FundedBy } from './rules.ts'
export {
  failedAtOnce,
  isOfframpSuccessful,
  PAID_LATE,
  quotePayout,
  quotePull,
  transferIn,
  transferOut,
} from './sandbox-outcomes.ts'
export type { CollectionStep, PayoutStep, PullStep, RefundPlan } from './sandbox-outcomes.ts'
export {
  IncomingTransactionSchema,
  OutgoingTransactionSchema,
  RateDetailsSchema,
  TransactionSchema,
} from './schema.ts'
export { settlementTimeline } from './settlement-timeline.ts'
export type { RailSelectionMode, SettlementTimeline } from './settlement-timeline.ts'
export { insertTransactions } from './store.ts'
export { newTransaction } from './transaction.ts'
export type {
  IncomingTransaction,
  NewTransaction,
  OutgoingTransaction,
  Refund,
  Transaction,
  TransactionDestination,
  TransactionSource,
} from './transaction.ts'
export { incomingToWire, outgoingToWire, toWire as transactionToWire } from './wire.ts'
