import { addMs } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Verification } from '../../../providers/stablecoin-issuer.ts'
import { verifyLinkJob } from '../job-definitions.ts'
import { lockLink, saveLinkVerified } from './store.ts'
import { moveLink } from './move-link.ts'

/** Records the result of a later verification of a link's credentials. Refuses nothing. */
export async function recheckLink(
  work: Work,
  id: Id<'stablecoinProviderAccount'>,
  verification: Verification,
): Promise<void> {
  const { tx, platform, now } = work
  const link = await lockLink(tx, platform.id, id)
  if (link?.status !== 'ACTIVE') return
  if (verification.verdict !== 'accepted') {
    await moveLink(work, link, verification.verdict === 'revoked' ? 'revoke' : 'refuse')
    return
  }
  await saveLinkVerified(tx, platform.id, { id, at: now })
  if (verification.verifyAgainAfterMs !== undefined) {
    const dueAt = addMs(link.createdAt, verification.verifyAgainAfterMs)
    enqueue(work, verifyLinkJob, { linkId: id }, { dueAt })
  }
}
