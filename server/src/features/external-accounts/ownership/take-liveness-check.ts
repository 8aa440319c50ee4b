import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { ExternalAccount } from '../external-account.ts'
import { endProof } from './end-proof.ts'
import { livenessActions, livenessState, type LivenessAction } from './liveness-check.ts'
import { lockExternalAccount } from '../records/find-external-account.ts'
import { findOpenChallenge, saveSubmission, type OwnershipChallenge } from './store.ts'

export type CheckRef = Readonly<{ externalAccountId: Id<'externalAccount'>; challengeId: string }>

/**
 * Applies the action of the hosted page's visitor. An expired check fails; one that is decided, superseded or submitted
 * does not change. Returns whether anything changed.
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

/** Passes a sandbox check, unless it was superseded or decided, or its account or owner was deleted (OWN-9). */
export async function settleLiveness(work: Work, check: CheckRef): Promise<void> {
  const open = await lockOpenCheck(work, check)
  if (open) await endProof(work, open.account, 'PROVEN')
}

type OpenCheck = Readonly<{ account: ExternalAccount; challenge: OwnershipChallenge }>

/** Locks the account of an open check; undefined if another check has replaced it. */
async function lockOpenCheck(
  work: Work,
  { externalAccountId, challengeId }: CheckRef,
): Promise<OpenCheck | undefined> {
  const account = await lockExternalAccount(work, externalAccountId)
  if (!account || account.isOwnerDeleted) return undefined
  const challenge = await findOpenChallenge(work.tx, work.platform.id, externalAccountId)
  return challenge?.id === challengeId ? { account, challenge } : undefined
}
