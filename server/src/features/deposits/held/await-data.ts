/** Deposits that are held until the customer has the data that the currency requires (CUST-66). */
import { Type } from '../../../infra/http/schema/type.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import { defineJob, jobId, type PayloadOf } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lacksProviderData } from '../../customers/index.ts'
import type { AccountSnapshot } from '../../internal-accounts/index.ts'
import { listAwaitingData } from '../store.ts'

export const releaseDepositJob = defineJob(
  'deposits.releaseOnceKnown',
  Type.Object({ depositId: jobId('transaction'), customerId: jobId('customer') }),
)

export type ReleaseJob = PayloadOf<typeof releaseDepositJob>

/** Whether the owner of an account lacks data that its currency requires. */
export const lacksData = ({ payer, currency }: AccountSnapshot): boolean =>
  payer !== null && lacksProviderData({ payer, currency })

/**
 * Checks a held deposit once more after the commit, because a concurrent change of the customer's data does not see the
 * deposit before.
 */
export function enqueueReleaseCheck(
  work: Work,
  { id, account }: Readonly<{ id: Id<'transaction'>; account: AccountSnapshot }>,
): void {
  if (account.customerId) enqueueRelease(work, { depositId: id, customerId: account.customerId })
}

/** Reacts to new data of a customer: checks its held deposits again. Refuses nothing. */
export async function recheckHeldDeposits(
  work: Work,
  { customerId }: InternalEvents['customers.fieldsFilled'],
): Promise<void> {
  const ids = await listAwaitingData(work.tx, work.platform.id, customerId)
  for (const depositId of ids) enqueueRelease(work, { depositId, customerId })
}

function enqueueRelease(work: Work, payload: ReleaseJob): void {
  enqueue(work, releaseDepositJob, payload, { key: payload.depositId })
}
