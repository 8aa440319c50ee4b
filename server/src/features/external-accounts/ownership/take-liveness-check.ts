import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work.ts'
import { endProof } from './end-proof.ts'
import { livenessActions, livenessState, type LivenessAction } from './liveness-check.ts'
import { saveSubmission } from './store.ts'
import { lockOpenCheck, type CheckRef } from './settle-liveness.ts'

/**
 * What the visitor of the hosted page did. Taken up too late the check has failed; one that is already decided,
 * superseded or handed in stays as it is. Answers whether anything was done.
 * Fails: FORBIDDEN for what this environment does not let a visitor do.
 */
export async function takeLivenessCheck(
  work: Work,
  check: CheckRef,
  action: LivenessAction,
): Promise<boolean> {
  const { tx, platform, now } = work
  if (!livenessActions(platform.environment).includes(action)) fail('FORBIDDEN')
  const open = await lockOpenCheck(work, check)
  if (!open) return false
  const { account, challenge } = open
  const state = livenessState(challenge, now)
  if (state === 'SUBMITTED') return false
  if (state === 'OPEN' && action === 'submit') {
    await saveSubmission(tx, platform.id, { id: challenge.id, at: now })
    return true
  }
  await endProof(work, account, state === 'OPEN' && action === 'pass' ? 'PROVEN' : 'FAILED')
  return true
}
