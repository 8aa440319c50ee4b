/** Deposits that are held until their customer has told what the currency asks for (CUST-66). */
import { Type } from 'typebox'
import type { Id } from '../../kernel/ids.ts'
import type { InternalEvents } from '../../infra/internal-events.ts'
import { defineJob, jobId, type PayloadOf } from '../../infra/jobs/define-job.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Work } from '../../infra/work.ts'
import { lacksProviderData } from '../customers/index.ts'
import type { AccountSnapshot } from '../internal-accounts/index.ts'
import { listAwaitingData } from './store.ts'

export const releaseDepositJob = defineJob(
  'deposits.releaseOnceKnown',
  Type.Object({ depositId: jobId('transaction'), customerId: jobId('customer') }),
)

export type ReleaseJob = PayloadOf<typeof releaseDepositJob>

/** Whether the owner of an account lacks what its currency asks for. */
export const lacksData = ({ payer, currency }: AccountSnapshot): boolean =>
  payer !== null && lacksProviderData({ payer, currency })

/**
 * Looks at a deposit once more as soon as it is held: its customer's data may come while it is being written, and a change
 * that is committed first does not see it.
 */
export function releaseOnceKnown(
  work: Work,
  { id, account }: Readonly<{ id: Id<'transaction'>; account: AccountSnapshot }>,
): void {
  if (account.customerId) enqueueRelease(work, { depositId: id, customerId: account.customerId })
}

/** The customer has told more of itself: its deposits that wait for that are looked at. Refuses nothing. */
export async function releaseKnownDeposits(
  work: Work,
  { customerId }: InternalEvents['customers.fieldsFilled'],
): Promise<void> {
  const ids = await listAwaitingData(work.tx, work.platform.id, customerId)
  for (const depositId of ids) enqueueRelease(work, { depositId, customerId })
}

function enqueueRelease(work: Work, payload: ReleaseJob): void {
  enqueue(work, releaseDepositJob, payload, { key: payload.depositId })
}
