import { mustBeWithinLimits } from '../../../kernel/access/attempt-limits.ts'
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { TRUST_FAILURE_LIMITS } from '../limits.ts'
import { readTrustFailures, saveTrustFailures } from '../customers/store.ts'
import { WRONG_PROOFS_MAX } from '../factors/factor.ts'
import type { ChallengeSubject, ScaChallenge } from './challenge.ts'
import { countWrongChallengeProof, deleteChallenge } from './store.ts'

/** The times of a customer's wrong proofs, including the current attempt; saved if the proof is wrong. */
export type TrustFailures = readonly Date[]

/**
 * Limits a locked customer's proofs of changes of trust. A wrong one does not count as a failed login, so without a
 * separate limit an app's codes could be guessed. Fails: RATE_LIMITED.
 */
export async function mustBeFreeToProveTrust(
  { tx, platform, now }: Pick<Work, 'tx' | 'platform' | 'now'>,
  customerId: Id<'customer'>,
): Promise<TrustFailures> {
  const times = await readTrustFailures(tx, platform.id, customerId)
  return mustBeWithinLimits(TRUST_FAILURE_LIMITS, { times, now })
}

/** Counts a wrong proof, which is no failed login; the fifth voids the challenge (TRUST-6). */
export function refuseTrustProof(
  { tx, platform }: Work,
  {
    subject,
    challenge,
    failures: trustFailedAt,
  }: Readonly<{ subject: ChallengeSubject; challenge: ScaChallenge; failures: TrustFailures }>,
): Refusal {
  saveTrustFailures(tx, platform.id, { customerId: challenge.customerId, trustFailedAt })
  const attemptsLeft = WRONG_PROOFS_MAX - challenge.wrongProofs - 1
  if (attemptsLeft > 0) countWrongChallengeProof(tx, platform.id, challenge.id)
  else deleteChallenge(tx, platform.id, subject)
  return refuse('INVALID_INPUT', { reason: 'INVALID_PROOF', attemptsLeft })
}
