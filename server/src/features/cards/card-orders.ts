import type { OrderKind } from '../../orders/index.ts'
import { cardIssueOrder } from './issuance/card-issue-order.ts'

export const cardOrders: readonly OrderKind[] = [cardIssueOrder]
