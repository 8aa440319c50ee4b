import { addMs } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { advance } from '../../../kernel/machine.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { StartedOrder } from '../../../providers/stablecoin-issuer.ts'
import { expireOperationJob, followOperationJob } from '../job-definitions.ts'
import { stablecoinOperation } from '../machine.ts'
import { lockOperation, saveOperation } from './store.ts'
import { FUNDING_LIFETIME_MS, type StablecoinOperation } from './stablecoin-operation.ts'

/** An operation with the provider's first answer; undefined where that is recorded already. */
export type OrderedOperation = Readonly<{
  id: Id<'stablecoinOperation'>
  started: StartedOrder | undefined
}>

/**
 * Records the provider's first answer to a mint or burn, which makes it visible. An answer that was recorded before
 * stays. Refuses nothing.
 */
export async function beginOperation(
  work: Work,
  { id, started }: OrderedOperation,
): Promise<StablecoinOperation> {
  const { tx, platform, now } = work
  const created = await lockOperation(tx, platform.id, id)
  invariant(created, 'An operation is stored before the provider is asked.')
  if (!started || created.status !== 'CREATED') return created
  const { fundingInstructions = null, reportAfterMs } = started
  const expiresAt = fundingInstructions && addMs(now, FUNDING_LIFETIME_MS)
  const operation: StablecoinOperation = {
    ...created,
    status: advance(
      stablecoinOperation,
      created.status,
      fundingInstructions ? 'awaitFunding' : 'accept',
    ),
    fundingInstructions,
    expiresAt,
    providerStatus: started.providerStatus,
    providerReference: started.reference,
    createdAt: now,
    updatedAt: now,
  }
  await saveOperation(tx, platform.id, operation)
  const payload = { operationId: id }
  if (expiresAt) enqueue(work, expireOperationJob, payload, { dueAt: expiresAt })
  if (reportAfterMs !== undefined) {
    enqueue(work, followOperationJob, payload, { dueAt: addMs(now, reportAfterMs) })
  }
  return operation
}
