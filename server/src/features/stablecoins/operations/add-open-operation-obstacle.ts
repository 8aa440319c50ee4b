import { addMs } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../../../infra/work/idempotency.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { listOpenOperationsOf } from './store.ts'

/**
 * An unfinished mint or burn that names an account of a customer prevents its deletion (CUST-62). An operation without an
 * answer of the provider counts as long as its request can be sent again (STBL-18).
 */
export async function addOpenOperationObstacle(
  { tx, platform, now }: Work,
  { customerId, obstacles }: InternalEvents['customers.deletionChecked'],
): Promise<void> {
  const resumableFrom = addMs(now, -IDEMPOTENCY_KEY_LIFETIME_MS)
  const open = await listOpenOperationsOf(tx, platform.id, { customerId, resumableFrom })
  if (open.length === 0) return
  const stablecoinOperationIds = open.map((id) => formatId('stablecoinOperation', id))
  obstacles.push({ reason: 'STABLECOIN_OPERATION_OPEN', stablecoinOperationIds })
}
