/** A liveness check as the visitor of its link sees it. */
import { digestSecret } from '../../../crypto/secret-hash.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Environment } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { type OwnershipChallenge, type LinkedChallenge, findChallengeByLink } from './store.ts'

export type LivenessState = 'OPEN' | 'SUBMITTED' | 'PASSED' | 'FAILED' | 'EXPIRED' | 'REPLACED'

export function livenessState(
  challenge: Pick<OwnershipChallenge, 'outcome' | 'submittedAt' | 'expiresAt'>,
  now: Date,
): LivenessState {
  const { outcome, submittedAt, expiresAt } = challenge
  if (outcome === 'PROVEN') return 'PASSED'
  if (outcome === 'FAILED') return 'FAILED'
  if (outcome !== null) return 'REPLACED'
  if (submittedAt) return 'SUBMITTED'
  return now <= expiresAt ? 'OPEN' : 'EXPIRED'
}

export const LIVENESS_ACTIONS = ['pass', 'fail', 'submit'] as const
export type LivenessAction = (typeof LIVENESS_ACTIONS)[number]

/** In sandbox the visitor decides; in PRODUCTION the visitor submits and the operator decides. */
export function livenessActions(environment: Environment): readonly LivenessAction[] {
  return traitsOf({ environment }).decidesByItself ? ['pass', 'fail'] : ['submit']
}

/** The check of a link, of any platform; undefined for an unknown secret. */
export function findLivenessCheck(tx: Tx, secret: string): Promise<LinkedChallenge | undefined> {
  return findChallengeByLink(tx, digestSecret(secret))
}
