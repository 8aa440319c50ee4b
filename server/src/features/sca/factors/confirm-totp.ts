import { newRecoveryCodes } from '../../../crypto/codes/recovery-codes.ts'
import type { Refusal } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { announceChange } from '../notices/announce-change.ts'
import type { TotpFactor } from './factor.ts'
import { useAppCode } from '../challenges/judge-proof.ts'
import { findPendingEnrolment, refuseEnrolmentProof, refuseExpired } from './pending-enrolment.ts'
import { markReenrolled } from '../resets/store.ts'
import { lockScaCustomer, mustHaveFreshLogin } from '../customers/sca-customer.ts'
import { isSameText, sealRecoveryCode, sealTotpSecret } from '../secrets.ts'
import { deleteEnrolment, insertTotp } from '../customers/store.ts'

/**
 * Enrols an authenticator app whose first code is right, and returns the recovery codes, which are never shown again
 * (SCA-14). A wrong code is counted although it is refused: returned with INVALID_INPUT and its `reason`.
 * Fails: USER_NOT_FOUND, CONFLICT, SCA_SESSION_REQUIRED.
 */
export async function confirmTotp(
  work: Work,
  { customerId, secret, code }: { customerId: Id<'customer'>; secret: string; code: string },
): Promise<readonly string[] | Refusal> {
  const { tx, platform, keyring } = work
  const sca = await lockScaCustomer(work, customerId)
  mustHaveFreshLogin(sca, work.now)
  const key = { customerId, factor: 'TOTP' } as const
  const pending = await findPendingEnrolment(work, key)
  if (!pending || !isSameText(secret, pending.secret.toString('hex'))) return refuseExpired()
  const codes = newRecoveryCodes()
  const fresh: TotpFactor = {
    secret: sealTotpSecret(keyring, customerId, pending.secret),
    usedSteps: [],
    recoveryCodes: codes.map((recoveryCode) => sealRecoveryCode(keyring, customerId, recoveryCode)),
  }
  const totp = useAppCode(work, { customerId, totp: fresh, code })
  if (!totp) return refuseEnrolmentProof(work, key, pending.enrolment)
  deleteEnrolment(tx, platform.id, key)
  insertTotp(tx, platform.id, { customerId, totp })
  markReenrolled(tx, platform.id, { ...key, at: work.now })
  announceChange(work, sca.customer, { change: 'ENROLLED', factor: 'TOTP' })
  return codes
}
