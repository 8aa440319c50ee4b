import { formatId } from '../../../kernel/ids.ts'
import { isRemote } from '../../../kernel/ports.ts'
import type { Work } from '../../../infra/work/work.ts'
import { placeOrder, supersedeOrder } from '../../../orders/index.ts'
import type { Verification } from '../verification.ts'

/**
 * Orders a check of a verification that has just entered IN_PROGRESS; without an outside provider the operator reviews
 * it. A resubmission supersedes the former order and names it (PROV-90).
 */
export async function placeIdentityCheck(
  work: Work,
  { id, snapshotId }: Verification,
): Promise<void> {
  const provider = work.ports.providerOf({ port: 'identity' })
  if (!provider || !isRemote(provider)) return
  const about = { type: 'IDENTITY_CHECK', subject: formatId('verification', id) } as const
  const former = await supersedeOrder(work, about)
  placeOrder(work, {
    ...about,
    provider,
    request: { snapshotId, ...(former && { previousOrderId: formatId('order', former.id) }) },
  })
}
