import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { moveOperation } from './move-operation.ts'
import { lockOperation } from './store.ts'
import { isExpired } from './stablecoin-operation.ts'

/** Ends an operation whose funds have not come in time; any other stays as it is. Refuses nothing. */
export async function expireOperation(work: Work, id: Id<'stablecoinOperation'>): Promise<void> {
  const operation = await lockOperation(work.tx, work.platform.id, id)
  if (!operation?.expiresAt || !isExpired(operation, work.now)) return
  await moveOperation(work, operation, { events: ['expire'], at: operation.expiresAt })
}
