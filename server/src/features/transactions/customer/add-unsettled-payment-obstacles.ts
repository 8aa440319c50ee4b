import { formatId } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { listUnsettled } from './store.ts'

/** Payments under way, and failed refunds in suspense, prevent the deletion of their customer (CUST-62). */
export async function addUnsettledPaymentObstacles(
  { tx, platform }: Work,
  { customerId, obstacles }: InternalEvents['customers.deletionChecked'],
): Promise<void> {
  const unsettled = await listUnsettled(tx, platform.id, customerId)
  for (const reason of ['PAYMENT_UNDER_WAY', 'REFUND_FAILED'] as const) {
    const transactionIds = unsettled
      .filter(({ isRefundFailed }) => isRefundFailed === (reason === 'REFUND_FAILED'))
      .map(({ id }) => formatId('transaction', id))
    if (transactionIds.length > 0) obstacles.push({ reason, transactionIds })
  }
}
