export {
  lockAtLeg,
  lockNextMovement,
  mayBeReturned,
  nextManualLeg,
  type NextMovement,
} from './manual-leg.ts'
export { refundMoneyOf, retryFailedRefund } from './refunds.ts'
export { confirmSettlement, markSettlementFailed } from './settle.ts'
export { countFailedRefunds, countOpenSettlements } from './store.ts'
export { loseFunding } from './orders/lost-funding.ts'
export { moneyOrders } from './orders/money-orders.ts'
export { routes } from './routes.ts'
