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
export { settlementTimeline } from './settlement-timeline.ts'
export type { RailSelectionMode, SettlementTimeline } from './settlement-timeline.ts'
