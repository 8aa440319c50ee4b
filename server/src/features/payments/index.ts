export {
  refundAccountOf,
  loadPayment,
  balanceAfter,
  collectionLegOf,
  deliveryKeysOf,
  heldKeysOf,
  payoutRailOf,
  pricedPayment,
  railOrderOf,
  pullRailOf,
  settlementKeysOf,
  transitKeyOf,
  UMA_RAIL,
  type Payment,
} from './payment.ts'
export { cancelTransaction, lockCancellable } from './cancel.ts'
export { collectionKeysOf, isCollection, takeCollectionStep } from './money/collection.ts'
export { markUnauthorized } from './money/hold.ts'
export { currentTransaction, moveMoney, recordTransaction } from './money/move-money.ts'
export { endRefund, retryEndedRefund, takeReturnedRefund } from './money/refund.ts'
export {
  applySteps,
  repayDebt,
  runPayment,
  saveState,
  type PaymentContext,
  type PaymentState,
  withJournals,
} from './money/state.ts'
export { takeStep } from './money/take-step.ts'
export { collectOrWait, runCollection, spendDestination } from './rail/settle.ts'
export {
  enqueueSteps,
  handOverJob,
  settleTransactionJob,
  stepsOf,
  stepsOfCollection,
  type PaymentStep,
} from './rail/steps.ts'
export { orderMoney } from './rail/order-leg.ts'
export { awaitsScreening, rejectScreened, sendScreened } from './rail/screening.ts'
export { readParties, type Parties } from './parties.ts'
export {
  lockWaitingPayment,
  OBSTACLE_REASONS,
  obstacleTo,
  type Obstacle,
  type WaitingPayment,
} from './recheck-waiting.ts'

// Wired in app/
export { jobs } from './jobs.ts'
