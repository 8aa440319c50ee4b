import { formatId, type Id } from '../../../kernel/ids.ts'
import { advance } from '../../../kernel/machine.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Work } from '../../../infra/work/work.ts'
import { stablecoinOperation, type OperationEvent } from '../machine.ts'
import { lockOperation, saveOperation } from './store.ts'
import {
  isExpired,
  type OperationFailure,
  type StablecoinOperation,
} from './stablecoin-operation.ts'

export type OperationMove = Readonly<{
  events: readonly OperationEvent[]
  at: Date
  failureReason?: OperationFailure
  providerStatus?: string
}>

/** Moves a locked operation; every status that it takes leaves an audit entry. Fails: INVALID_STATE_TRANSITION. */
export async function moveOperation(
  work: Work,
  operation: StablecoinOperation,
  { events, at, failureReason, providerStatus }: OperationMove,
): Promise<void> {
  let { status } = operation
  for (const event of events) {
    status = advance(stablecoinOperation, status, event)
    audit(work, {
      action: `stablecoinOperation.${status}`,
      resource: formatId('stablecoinOperation', operation.id),
    })
  }
  await saveOperation(work.tx, work.platform.id, {
    ...operation,
    status,
    providerStatus: providerStatus ?? operation.providerStatus,
    failureReason: failureReason ?? null,
    updatedAt: at,
  })
}

/** Expires an operation whose funds are late; any other stays as it is. Refuses nothing. */
export async function expireOperation(work: Work, id: Id<'stablecoinOperation'>): Promise<void> {
  const operation = await lockOperation(work.tx, work.platform.id, id)
  if (!operation?.expiresAt || !isExpired(operation, work.now)) return
  await moveOperation(work, operation, { events: ['expire'], at: operation.expiresAt })
}
