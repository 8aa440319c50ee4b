import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockStablecoin, saveServiceOperationsStatus } from './store.ts'
import type { ServiceOperationsStatus, Stablecoin } from './stablecoin.ts'

/**
 * Sets on the operator's command whether the service deals in a coin (`florin stablecoins set-status`); any status may
 * follow any other.
 * Fails: REFERENCE_NOT_FOUND.
 */
export async function setServiceOperationsStatus(
  work: Work,
  { id, status }: { id: Id<'stablecoin'>; status: ServiceOperationsStatus },
): Promise<Stablecoin> {
  const { tx, platform, now } = work
  const coin = (await lockStablecoin(tx, platform.id, id)) ?? failNotFound('stablecoin')
  if (coin.serviceOperationsStatus === status) return coin
  await saveServiceOperationsStatus(tx, platform.id, { id, status, at: now })
  return { ...coin, serviceOperationsStatus: status, updatedAt: now }
}
