import { kindsByType } from '../orders/index.ts'
import { moneyOrders } from '../features/settlements/index.ts'

/** Every kind of order, by type. */
export const orderKinds = kindsByType([moneyOrders])
