import { failFields, refuse, type Refusal } from '../../kernel/errors.ts'
import { formatId } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { saveTrust } from '../external-accounts/index.ts'
import {
  findOpenChallenge,
  judgeProof,
  mustBeFreeToProveTrust,
  mustBeUnlocked,
  refuseTrustProof,
  useUpChallenge,
  type Proof,
} from '../sca/index.ts'
import { lockBeneficiary } from './find-beneficiary.ts'
import type { TrustChange } from './start-trust-change.ts'
import { purposeOf } from './trust.ts'

export type TrustConfirmation = TrustChange &
  Readonly<{ challengeId: string | undefined; proof: Proof }>

export type TrustOutcome = Readonly<{ trusted: boolean; isChanged: boolean }>

/**
 * Judges the proof and changes the trust. While the customer is locked or suspended the challenge stays (TRUST-13).
 * Where the trust is as wanted the proof is not read (TRUST-4), so of racing confirmations one changes it and all succeed
 * (TRUST-8). A wrong proof is no failed login; the fifth voids the challenge (TRUST-6): returned with INVALID_INPUT and
 * its `reason`, as is a challenge that is not the pending one.
 * Fails: REFERENCE_NOT_FOUND, CONFLICT, ACCOUNT_LOCKED, INVALID_INPUT (no challengeId, or proof of a factor that is not
 * listed), RATE_LIMITED (too many wrong proofs of this customer).
 */
export async function confirmTrustChange(
  work: Work,
  { id, wanted, challengeId, proof }: TrustConfirmation,
): Promise<TrustOutcome | Refusal> {
  const { account, sca } = await lockBeneficiary(work, id)
  mustBeUnlocked(sca, work.now)
  if (account.isTrusted === wanted) return { trusted: wanted, isChanged: false }
  const subject = { purpose: purposeOf(wanted), externalAccountId: id }
  const challenge = await findOpenChallenge(work, subject)
  if (challenge && challengeId === undefined) {
    failFields([{ field: 'challengeId', message: 'is required while a proof is waited for' }])
  }
  if (!challenge || challengeId !== formatId('scaChallenge', challenge.id)) {
    return refuse('INVALID_INPUT', { reason: 'CHALLENGE_EXPIRED' })
  }
  const failures = await mustBeFreeToProveTrust(work, sca.customer.id)
  if (!(await judgeProof(work, sca, { challenge, proof }))) {
    return refuseTrustProof(work, { subject, challenge, failures })
  }
  useUpChallenge(work, subject)
  await saveTrust(work.tx, work.platform.id, { id, isTrusted: wanted })
  return { trusted: wanted, isChanged: true }
}
