// Shapes and names
export { CARD_TRANSACTION_STATUSES, CardTransactionSchema } from './card-transaction-schema.ts'
export type { IncomingFailureReason, OutgoingFailureReason } from './failure-reasons.ts'
export { OUTGOING_FAILURE_REASONS } from './failure-reasons.ts'
export type { OutgoingStatus } from './machine.ts'
export { PAYMENT_RAILS } from './payment-rails.ts'
export { PURPOSES_OF_PAYMENT } from './purposes-of-payment.ts'
export {
  CounterpartyInformationSchema,
  IncomingTransactionSchema,
  RateDetailsSchema,
  TransactionSchema,
} from './schema.ts'
export { newTransaction } from './transaction.ts'
export type { IncomingTransaction, OutgoingTransaction, Transaction } from './transaction.ts'
export {
  incomingToWire,
  isWithheld,
  outgoingToWire,
  listedToWire,
  toWire as transactionToWire,
} from './wire.ts'

// Rows
export { insertCardEntries, saveCardEntry } from './card-store.ts'
export type { CardEntry, ListedTransaction } from './row.ts'
export {
  findTransaction,
  findTransactions,
  insertTransactions,
  listTransactionsOfAll,
  holdOpenQuotes,
  lockPendingQuotes,
  lockTransaction,
  lockTransactions,
  saveAwaitedApprovals,
  saveTransactions,
} from './store.ts'

// Money in
export { collectionKeysOf, takeCollectionStep } from './collection.ts'
export { deposit } from './deposit.ts'
export { isCreditable } from './credited-amount.ts'
export { isArrivalRail, reportedArrival } from './reported-arrival.ts'
export type { Arrival } from './sandbox-arrival.ts'
export type { ArrivalReport } from './reported-arrival.ts'

// Money out: its ends, its price, its life
export { currentTransaction, moveMoney, recordTransaction } from './move-money.ts'
export { draftOutgoing } from './draft-outgoing.ts'
export { markUnauthorized } from './held-payment.ts'
export { fundingRouteOf } from './funding-route.ts'
export { coinAccountOf, endsOf, loadPayment, wantedSidesOf } from './load-payment.ts'
export {
  moveIncoming,
  moveOutgoing,
  moveRefund,
  startRefund,
  emitIncoming,
  emitOutgoing,
} from './move-transaction.ts'
export { closeUnstarted } from './close-unstarted.ts'
export { isAccessible } from './mandate.ts'
export type { Mandate, Movement } from './mandate.ts'
export { paymentFieldErrors } from './payment-field-errors.ts'
export { mustBeReceivable, mustBeSendable, mustBeUsable, mustPassGates } from './payment-gates.ts'
export { lockWaiting, OBSTACLE_REASONS, obstacleTo } from './recheck-waiting.ts'
export type { Obstacle, WaitingPayment } from './recheck-waiting.ts'
export {
  currencyOfSide,
  destinationOf,
  findSides,
  mayPull,
  ownerOfSide,
  sourceOf,
} from './payment-sides.ts'
export type { PayingSide, ReceivingSide, Sides, UmaSide, WantedSides } from './payment-sides.ts'
export { enqueueSteps, handOverJob, railsOf } from './payment-steps.ts'
export { loadPaymentTerms } from './payment-terms.ts'
export type { PaymentTerms } from './payment-terms.ts'
export {
  deliveryKeysOf,
  heldKeysOf,
  payoutRailOf,
  pullRailOf,
  settlementKeysOf,
  UMA_RAIL,
} from './payment.ts'
export type { Payment } from './payment.ts'
export { pricePayment, wantedRatesOf } from './price-payment.ts'
export type { PricedEnds } from './price-payment.ts'
export { applySteps, saveState } from './run-payment.ts'
export { failedAtOnce, isOfframpSuccessful, PAID_LATE, quotePayout } from './sandbox-outcomes.ts'
export type { PayoutStep } from './sandbox-outcomes.ts'
export { takeStep } from './take-step.ts'
export { tracedDestination } from './traced-destination.ts'

// For the operator
export { lockAtLeg } from './lock-at-leg.ts'
export { SETTLED_LEGS } from './leg.ts'
export { listLegReferences } from './leg-reference-store.ts'
export type { LegOutcome, LegReference } from './leg-reference-store.ts'
export { nextLeg } from './next-leg.ts'
export { networkOfPayout, recordLeg } from './record-leg.ts'
export type { OutsideNames } from './record-leg.ts'
export { refundMoneyOf } from './refund-money.ts'
export { retryFailedRefund } from './retry-failed-refund.ts'
export { confirmSettlement, markSettlementFailed } from './settle-by-hand.ts'
export {
  countFailedRefunds,
  countOpenSettlements,
  findPlatformOfTransaction,
  listFailedRefunds,
  listOpenSettlements,
  type OpenSettlement,
} from './settlement-store.ts'

// For agents
export { checkRange, listTransactions } from './list-transactions.ts'
export { TransactionQuerySchema } from './query-schema.ts'
export { TransactionListSchema, TRANSACTION_STATUSES } from './schema.ts'

// Wired in app/
export { findUnsettledPayments } from './find-unsettled-payments.ts'
export { refuseClearingFields } from './refuse-clearing-fields.ts'
export { approvalRoutes } from './approval-routes.ts'
export type { PaymentDecider } from './decide-payment.ts'
export { jobs } from './jobs.ts'
export { routes } from './routes.ts'
