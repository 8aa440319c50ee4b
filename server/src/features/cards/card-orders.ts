import type { OrderKind } from '../../orders/index.ts'
import { cardIssueOrder } from './issuance/card-issue-order.ts'
import { cardStateOrder } from './record/card-state-order.ts'

export const cardOrders: readonly OrderKind[] = [cardIssueOrder, cardStateOrder]
