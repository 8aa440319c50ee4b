import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { endProof } from './end-proof.ts'
import type { ExternalAccount } from '../external-account.ts'
import { mustLockExternalAccount } from '../records/find-external-account.ts'
import { livenessState } from './liveness-check.ts'
import { findOpenChallenge } from './store.ts'

/**
 * Passes or fails an open liveness check, for the operator's `ownership approve` and `ownership reject`.
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, CONFLICT if no liveness check is open or it expired.
 */
export async function decideOwnership(
  work: Work,
  { id, isApproved }: { id: Id<'externalAccount'>; isApproved: boolean },
): Promise<ExternalAccount> {
  const account = await mustLockExternalAccount(work, id)
  const challenge = await findOpenChallenge(work.tx, work.platform.id, id)
  const isOpen =
    challenge?.method === 'LIVENESS' && livenessState(challenge, work.now) !== 'EXPIRED'
  if (!isOpen) fail('CONFLICT', { status: account.status })
  return endProof(work, account, isApproved ? 'PROVEN' : 'FAILED')
}
