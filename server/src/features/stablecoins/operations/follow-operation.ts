import { addMs } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { isTerminal } from '../../../kernel/machine.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { OrderReport } from '../../../providers/stablecoin-issuer.ts'
import { followOperationJob } from '../job-definitions.ts'
import { findLink } from '../links/store.ts'
import { stablecoinOperation } from '../machine.ts'
import { moveOperation } from './move-operation.ts'
import { lockOperation } from './store.ts'
import { isExpired, movesTo } from './stablecoin-operation.ts'

/**
 * Records the provider's report of a running operation, and asks again when the provider says so. Whatever is reported,
 * an operation past its deadline expires. One that cannot be asked for any more, because its link does not work, fails; what
 * a provider reports by itself counts all the same. Refuses nothing.
 */
export async function followOperation(
  work: Work,
  id: Id<'stablecoinOperation'>,
  report: OrderReport | undefined,
): Promise<void> {
  const { tx, platform, now } = work
  const operation = await lockOperation(tx, platform.id, id)
  if (!operation || isTerminal(stablecoinOperation, operation.status)) return
  if (operation.expiresAt && isExpired(operation, now)) {
    await moveOperation(work, operation, { events: ['expire'], at: operation.expiresAt })
    return
  }
  if (!report) {
    const link = await findLink(tx, platform.id, operation.linkId)
    invariant(link?.status !== 'ACTIVE', 'The provider of an active link was asked.')
    await moveOperation(work, operation, {
      events: movesTo(operation.status, 'FAILED'),
      at: now,
      failureReason: 'PROVIDER_ACCOUNT_UNUSABLE',
    })
    return
  }
  const { state, providerStatus, reportAfterMs } = report
  const events = movesTo(operation.status, state)
  if (events.length > 0) {
    const failure = report.state === 'FAILED' ? { failureReason: report.failureReason } : {}
    await moveOperation(work, operation, { events, at: now, providerStatus, ...failure })
  }
  if (reportAfterMs !== undefined) {
    const dueAt = addMs(operation.createdAt, reportAfterMs)
    enqueue(work, followOperationJob, { operationId: id }, { dueAt })
  }
}
