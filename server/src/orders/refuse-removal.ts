import { fail } from '../kernel/errors.ts'
import type { Id } from '../kernel/ids.ts'
import type { Work } from '../infra/work/work.ts'
import { countOpenOrders } from './store.ts'

/** A provider is not removed while it has open orders or exceptions. Fails: CONFLICT. */
export async function refuseRemoval(
  { tx }: Work,
  { providerId }: Readonly<{ providerId: Id<'provider'> }>,
): Promise<void> {
  const openOrders = await countOpenOrders(tx, providerId)
  if (openOrders > 0) fail('CONFLICT', { openOrders })
}
