import type { InternalEvents } from '../../infra/internal-events.ts'
import type { Work } from '../../infra/work.ts'
import { unlistAccounts } from './store.ts'

/** A deleted customer's accounts stay readable; lists show them only where that customer is named. */
export async function unlistExternalAccounts(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  await unlistAccounts(tx, platform.id, customerId)
}
