import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work/work.ts'
import { endProof } from './end-proof.ts'
import { livenessActions, livenessState, type LivenessAction } from './liveness-check.ts'
import { saveSubmission } from './store.ts'
import { lockOpenCheck, type CheckRef } from './settle-liveness.ts'

/**
 * Applies the action of the hosted page's visitor. An expired check fails; one that is decided, superseded or submitted
 * stays as it is. Answers whether anything changed.
 * Fails: FORBIDDEN for an action that this environment does not offer.
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
