/** A liveness check as whoever opens its link sees it. */
import { digestSecret } from '../../../crypto/secret-hash.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Environment } from '../../../kernel/platform.ts'
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

/** The sandbox lets the visitor decide; in PRODUCTION the visitor asks and the operator decides. */
export function livenessActions(environment: Environment): readonly LivenessAction[] {
  return environment === 'SANDBOX' ? ['pass', 'fail'] : ['submit']
}

/** The check that a link leads to, of whatever platform; undefined for a secret that was never given out. */
export function findLivenessCheck(tx: Tx, secret: string): Promise<LinkedChallenge | undefined> {
  return findChallengeByLink(tx, digestSecret(secret))
}
