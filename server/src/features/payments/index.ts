export {
  deliveryKeysOf,
  heldKeysOf,
  loadPayment,
  payoutRailOf,
  pullRailOf,
  refundAccountOf,
  type Payment,
} from './payment.ts'
export { cancelTransaction } from './cancel.ts'
export { beginCollection, collectionKeysOf } from './money/collection.ts'
export { markUnauthorized } from './money/hold.ts'
export { currentTransaction, moveMoney, recordTransaction } from './money/move-money.ts'
export { creditPart } from './money/partial-return.ts'
export { retryEndedRefund, takeReturnedRefund } from './money/refund.ts'
export { confirmLeg, markLegFailed, markUnfunded, type LegFailure } from './rail/leg-outcome.ts'
export { carrierOf, isUndelivered, nextLeg } from './rail/next-leg.ts'
export { orderMoney } from './rail/order-leg.ts'
export { awaitsScreening, rejectScreened, sendScreened } from './rail/screening.ts'
export { collectOrWait, prepareSteps } from './rail/settle.ts'
export { enqueueSteps, handOverJob } from './rail/steps.ts'
export { isLeftToCarrier } from './rail/store.ts'
export {
  lockWaitingPayment,
  OBSTACLE_REASONS,
  obstacleTo,
  type Obstacle,
  type WaitingPayment,
} from './recheck-waiting.ts'

// Wired in app/
export { jobs } from './jobs.ts'
