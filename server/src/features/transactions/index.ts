// Shapes and names
export { CARD_TRANSACTION_STATUSES, CardTransactionSchema } from './wire/card-schema.ts'
export { PURPOSES_OF_PAYMENT } from './wire/purposes.ts'
export {
  ARRIVAL_RAILS,
  isCryptoNetwork,
  isPaymentRail,
  PAYMENT_RAILS,
  type PaymentRail,
} from './wire/rails.ts'
export { TransactionQuerySchema } from './wire/query-schema.ts'
export {
  CounterpartyInformationSchema,
  IncomingTransactionSchema,
  RateDetailsSchema,
  TRANSACTION_STATUSES,
  TransactionListSchema,
  TransactionSchema,
} from './wire/schema.ts'
export {
  incomingToWire,
  isWithheld,
  listedToWire,
  outgoingToWire,
  toWire as transactionToWire,
} from './wire/wire.ts'

// The record
export { incoming, outgoing, type OutgoingEvent, type OutgoingStatus } from './record/machine.ts'
export {
  closeUnstarted,
  emitIncoming,
  emitOutgoing,
  moveIncoming,
  moveOutgoing,
  moveRefund,
  startRefund,
  type EventContext,
} from './record/move.ts'
export {
  cancelRefusal,
  isCancellableRail,
  refundTargetOf,
  sandboxTransactionHash,
  type FundedBy,
  tracedDestination,
} from './record/rules.ts'
export {
  accountIdOfSide,
  identifierOf,
  newTransaction,
  type Direction,
  type IncomingTransaction,
  type OutgoingTransaction,
  type RailSelectionMode,
  type Transaction,
  type TransactionDestination,
  type TransactionSource,
} from './record/transaction.ts'

// Rows
export { insertCardEntries, saveCardEntry } from './record/card-store.ts'
export type { CardEntry, ListedTransaction } from './record/row.ts'
export {
  findTransaction,
  findTransactions,
  lockOpenQuotes,
  insertTransactions,
  lockPendingQuotes,
  lockTransaction,
  mustLockTransaction,
  lockTransactions,
  saveAwaitedApprovals,
  saveTransaction,
  saveTransactions,
} from './record/store.ts'
export { checkRange, listTransactions } from './list-transactions.ts'

// Money in
export {
  isArrivalRail,
  reportedArrival,
  type Arrival,
  type ArrivalReport,
} from './incoming/arrival.ts'
export { isCreditable } from './incoming/credited-amount.ts'
export { deposit } from './incoming/deposit.ts'
export { postTakenBack, reverseCredit } from './incoming/reverse-credit.ts'

// What the operator moves by hand
export { isFromOutside, legOf, SETTLED_LEGS, type Leg, type SettledLeg } from './legs/leg.ts'
export { networkOfPayout, recordLeg, type OutsideNames } from './legs/record-leg.ts'
export {
  insertLegReference,
  listLegReferences,
  type LegOutcome,
  type LegReference,
} from './legs/store.ts'

// Wired in app/
export { addUnsettledPaymentObstacles } from './customer/add-unsettled-payment-obstacles.ts'
export { refuseClearingFields } from './customer/refuse-clearing-fields.ts'
export { approvalRoutes } from './decisions/approval-routes.ts'
export type { PaymentDecider } from './decisions/decide-payment.ts'
export { routes } from './routes.ts'
