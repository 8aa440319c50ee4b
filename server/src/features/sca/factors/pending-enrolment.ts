import { isPast } from '../../../kernel/clock.ts'
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work/work.ts'
import { WRONG_PROOFS_MAX } from './factor.ts'
import { openEnrolment } from '../secrets.ts'
import {
  countWrongEnrolmentProof,
  deleteEnrolment,
  findEnrolment,
  type Enrolment,
  type EnrolmentKey,
} from '../customers/store.ts'

export type PendingEnrolment = Readonly<{ secret: Buffer; enrolment: Enrolment }>

/** The pending enrolment with its secret opened; undefined if there is none, or it has expired. */
export async function findPendingEnrolment(
  { tx, platform, now, keyring }: Work,
  key: EnrolmentKey,
): Promise<PendingEnrolment | undefined> {
  const enrolment = await findEnrolment(tx, platform.id, key)
  if (!enrolment || isPast({ deadline: enrolment.expiresAt, now })) return undefined
  return { secret: openEnrolment(keyring, key, enrolment.secret), enrolment }
}

/** Counts a wrong proof on the enrolment, not as a failed login; the fifth voids the enrolment (SCA-14). */
export function refuseEnrolmentProof(
  { tx, platform }: Work,
  key: EnrolmentKey,
  { wrongProofs }: Enrolment,
): Refusal {
  const attemptsLeft = WRONG_PROOFS_MAX - wrongProofs - 1
  if (attemptsLeft > 0) countWrongEnrolmentProof(tx, platform.id, key)
  else deleteEnrolment(tx, platform.id, key)
  return refuse('INVALID_INPUT', { reason: 'INVALID_PROOF', attemptsLeft })
}

export const refuseExpired = (): Refusal => refuse('INVALID_INPUT', { reason: 'CHALLENGE_EXPIRED' })
