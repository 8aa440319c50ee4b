export {
  kindsByType,
  type DecisionOutcome,
  type OrderFailure,
  type OrderKind,
} from './order-kind.ts'
export {
  isOpen,
  ORDER_STATES,
  ORDER_TYPES,
  type LostFunding,
  type MoneyOrderType,
  type Order,
  type OrderState,
  type Report,
  type Returned,
  type Statement,
} from './order.ts'
export { requestCancel, saveLostFunding } from './lost-funding.ts'
export { placeOrder, referencesIn } from './place-order.ts'
export { supersedeOrder } from './supersede-order.ts'
export {
  findListedOrder,
  findSettledPayout,
  findOrder,
  hasOrderAmong,
  listOrders,
  listOrdersOf,
  lockLatestOrder,
  lockOpenOrder,
  lockPayoutOf,
  sumOutsideFees,
  type ListedOrder,
} from './store.ts'
export { takeReport } from './reports/take-report.ts'
export { createSender } from './sending/sender.ts'
export { resolveException } from './exceptions/resolve.ts'
export { openDecisionConflict, openInvalidDecision } from './exceptions/decision-exceptions.ts'
export { RESOLUTIONS } from './exceptions/resolutions.ts'
export {
  countOpenExceptions,
  findException,
  listOpenOfProvider,
  listOpenOfSubject,
  listExceptions,
  listExceptionsOfOrder,
  openException,
  type Exception,
} from './exceptions/store.ts'
export { digestOf, readReports } from './reports/store.ts'
export { WAITING_FOR, waitingFor } from './waiting-for.ts'
export { askOrder, cancelOrder, sendNow } from './sending/run-attempt.ts'
export { beginCancel } from './sending/attempt.ts'
export { cancelQueued, releaseHeld } from './reports/apply.ts'
export { askBeforeSending, moveToProvider } from './store.ts'
export { refuseRemoval } from './refuse-removal.ts'
export { problemsOf, readFigures, type ProviderFigures } from './sending/figures.ts'
export { readCallFigures } from './sending/health.ts'
export { inPlatformOf, withOrder } from './with-order.ts'
