import { addMs } from '../../../kernel/clock.ts'
import type { Refusal } from '../../../kernel/errors.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { deleteChallenge, findChallenge } from '../challenges/store.ts'
import { isOpen, type ScaChallenge } from '../challenges/challenge.ts'
import type { ScaFactor } from '../factors/factor.ts'
import { judgeProof } from '../challenges/judge-proof.ts'
import { mustBeUnlocked, refuseWrongProof } from './failures.ts'
import { refuseExpired } from '../factors/pending-enrolment.ts'
import type { Proof } from '../challenges/proof.ts'
import { lockScaCustomer } from '../customers/sca-customer.ts'
import { SESSION_LIFETIME_MS } from '../customers/security-state.ts'
import { savePhoneProof, saveSecurity } from '../customers/store.ts'

export type LoginProof = Readonly<{
  customerId: Id<'customer'>
  factor: ScaFactor
  /** Names the challenge of an SMS code. */
  challengeId: string | undefined
  proof: Proof
}>

/**
 * Completes a login with its proof and opens a session; returns when the session expires (SCA-20). A code that was sent
 * to an unproven number proves that number (SCA-61). A wrong proof is one failed attempt and leaves the login open:
 * returned with INVALID_INPUT, as is a login that is not open.
 * Fails: USER_NOT_FOUND, CONFLICT, ACCOUNT_LOCKED, INVALID_INPUT (proof of another factor).
 */
export async function completeLogin(
  work: Work,
  { customerId, factor, challengeId, proof }: LoginProof,
): Promise<Date | Refusal> {
  const { tx, platform, now } = work
  const sca = await lockScaCustomer(work, customerId)
  mustBeUnlocked(sca, now)
  const subject = { purpose: 'LOGIN', customerId } as const
  const challenge = await findChallenge(tx, platform.id, subject)
  if (!isOpen(challenge, now) || !isOfChallenge(challenge, { factor, challengeId })) {
    return refuseExpired()
  }
  const isRight = await judgeProof(work, sca, { challenge, proof, takesRecoveryCodes: true })
  if (!isRight) return refuseWrongProof(work, sca)
  const sessionExpiresAt = addMs(now, SESSION_LIFETIME_MS)
  deleteChallenge(tx, platform.id, subject)
  saveSecurity(tx, platform.id, {
    customerId,
    security: { failedAttempts: 0, lockedUntil: null, sessionExpiresAt, loggedInAt: now },
  })
  if (factor === 'SMS_OTP' && sca.factors.unprovenNumber !== undefined) {
    savePhoneProof(tx, platform.id, { customerId, isPhoneUnproven: false })
  }
  return sessionExpiresAt
}

function isOfChallenge(
  challenge: ScaChallenge,
  { factor, challengeId }: Pick<LoginProof, 'factor' | 'challengeId'>,
): boolean {
  if (challenge.factor !== factor) return false
  return factor !== 'SMS_OTP' || challengeId === formatId('scaChallenge', challenge.id)
}
