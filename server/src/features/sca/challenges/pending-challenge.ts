/** What becomes of a challenge that is being answered. */
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import {
  countWrongChallengeProof,
  deleteChallenge,
  findChallenge,
  listQuotesChallenged,
} from './store.ts'
import { isOpen, type ChallengeSubject, type ScaChallenge } from './challenge.ts'
import { WRONG_PROOFS_MAX } from '../factors/factor.ts'
import { mustFindRelyingParty } from '../factors/relying-party.ts'
import { saveTrustFailures } from '../customers/store.ts'
import type { TrustFailures } from './trust-failures.ts'
import type { PasskeyUse } from '../wire.ts'

/** The one that is waited for; undefined where there is none, or its time has passed. */
export async function findOpenChallenge(
  { tx, platform, now }: Pick<Work, 'tx' | 'platform' | 'now'>,
  subject: ChallengeSubject,
): Promise<ScaChallenge | undefined> {
  const challenge = await findChallenge(tx, platform.id, subject)
  return isOpen(challenge, now) ? challenge : undefined
}

/** It was proven, or is not wanted any more. */
export function useUpChallenge({ tx, platform }: Work, subject: ChallengeSubject): void {
  deleteChallenge(tx, platform.id, subject)
}

/** TRUST-6: a wrong proof that is no failed login; the fifth voids the challenge. `failures`: with this one. */
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

/** What has to be shown with a challenge that a passkey may prove. Fails: CONFLICT. */
export async function findPasskeyUse(
  work: Pick<Work, 'tx' | 'platform'>,
  { passkeyChallenge }: ScaChallenge,
): Promise<PasskeyUse | undefined> {
  if (passkeyChallenge === null) return undefined
  return { relyingParty: await mustFindRelyingParty(work) }
}

/** What a quote waits for, open or not: a quote has at most one challenge, whatever its step. */
export const findQuoteChallenge = (
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  quoteId: Id<'quote'>,
): Promise<ScaChallenge | undefined> =>
  findChallenge(tx, platform.id, { purpose: 'PAYOUT', quoteId })

export const listChallengedQuotes = (
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  customerId: Id<'customer'>,
): Promise<readonly Id<'quote'>[]> => listQuotesChallenged(tx, platform.id, customerId)
