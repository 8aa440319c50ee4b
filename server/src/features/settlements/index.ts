export { lockAtLeg, mayBeReturned, nextLeg } from './ahead.ts'
export { lockNextMovement, type NextMovement } from './movement.ts'
export { refundMoneyOf, retryFailedRefund } from './refunds.ts'
export { confirmSettlement, markSettlementFailed } from './settle.ts'
export {
  countFailedRefunds,
  countOpenSettlements,
  listFailedRefunds,
  listOpenSettlements,
  type OpenSettlement,
} from './store.ts'
export { loseFunding } from './orders/lost-funding.ts'
export { moneyOrders } from './orders/money-orders.ts'
export { routes } from './routes.ts'
