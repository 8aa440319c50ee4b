import { SANDBOX_PROOFS } from '../../../crypto/wallet/sandbox-values.ts'
import { readScaAssertion, verifyScaAssertion } from '../../../crypto/passkey/sca-passkey.ts'
import { isRecoveryCode } from '../../../crypto/codes/recovery-codes.ts'
import { matchTotpStep } from '../../../crypto/codes/totp.ts'
import { failFields } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { ScaChallenge } from './challenge.ts'
import type { TotpFactor } from '../factors/factor.ts'
import type { PasskeyProof, Proof } from './proof.ts'
import { mustFindRelyingParty } from '../factors/relying-party.ts'
import type { ScaCustomer } from '../customers/sca-customer.ts'
import { isRecoveryCodeOf, isSameText, openSmsCode, openTotpSecret } from '../secrets.ts'
import { savePasskeyCounter, saveTotpUse } from '../customers/store.ts'

type GivenProof = Readonly<{
  challenge: ScaChallenge
  proof: Proof
  /** A login also accepts a recovery code instead of an app's code (SCA-21). */
  takesRecoveryCodes?: boolean
}>

/**
 * Decides whether a proof fits the challenge. A right proof is marked as used: the step of an app's code, a recovery
 * code, the counter of a passkey. The caller counts wrong proofs.
 * Fails: INVALID_INPUT for a proof of a factor that is not usable here (SCA-4).
 */
export async function judgeProof(
  work: Work,
  sca: ScaCustomer,
  given: GivenProof,
): Promise<boolean> {
  const { challenge, proof } = given
  const usable = challenge.availableFactors
  if ('origin' in proof) {
    const isUsable = usable.includes('PASSKEY') && challenge.passkeyCredentialId !== null
    if (!isUsable) failUnusable('passkeyAssertion')
    return judgeAssertion(work, sca, { challenge, proof })
  }
  if (!usable.includes('SMS_OTP') && !usable.includes('TOTP')) failUnusable('code')
  if (isSentCode(work, challenge, proof.code)) return true
  return usable.includes('TOTP') && judgeAppCode(work, sca, { ...given, code: proof.code })
}

function failUnusable(field: string): never {
  return failFields([{ field, message: 'must prove one of the factors that may be used here' }])
}

function isSentCode({ keyring }: Work, { id, sms }: ScaChallenge, code: string): boolean {
  return sms !== null && isSameText(code, openSmsCode(keyring, id, sms).code)
}

function judgeAppCode(
  work: Work,
  { customer, factors: { totp } }: ScaCustomer,
  { code, takesRecoveryCodes = false }: { code: string; takesRecoveryCodes?: boolean },
): boolean {
  if (!totp) return false
  const used =
    takesRecoveryCodes && isRecoveryCode(code)
      ? withoutRecoveryCode(work, { customerId: customer.id, totp, code })
      : useAppCode(work, { customerId: customer.id, totp, code })
  if (!used) return false
  saveTotpUse(work.tx, work.platform.id, { customerId: customer.id, totp: used })
  return true
}

type AppCode = Readonly<{ customerId: Id<'customer'>; totp: TotpFactor; code: string }>

/** Returns the factor with the step of this code marked as used; undefined if the code is wrong. The sandbox has no steps. */
export function useAppCode(
  { keyring, platform, now }: Pick<Work, 'keyring' | 'platform' | 'now'>,
  { customerId, totp, code }: AppCode,
): TotpFactor | undefined {
  if (traitsOf(platform).hasMagicValues)
    return isSameText(code, SANDBOX_PROOFS.scaCode) ? totp : undefined
  const secret = openTotpSecret(keyring, customerId, totp.secret)
  const step = matchTotpStep({ secret, code, now, usedSteps: totp.usedSteps })
  if (step === undefined) return undefined
  // No step before the last three can match again.
  return { ...totp, usedSteps: [...totp.usedSteps.slice(-3), step] }
}

function withoutRecoveryCode(
  { keyring }: Work,
  { customerId, totp, code }: AppCode,
): TotpFactor | undefined {
  const left = totp.recoveryCodes.filter(
    (sealed) => !isRecoveryCodeOf(keyring, customerId, { code, sealed }),
  )
  return left.length === totp.recoveryCodes.length ? undefined : { ...totp, recoveryCodes: left }
}

/** Only the passkey that the challenge names proves it, not one enrolled in its place (SCA-60). */
async function judgeAssertion(
  work: Work,
  { customer, factors: { passkey } }: ScaCustomer,
  { challenge, proof }: { challenge: ScaChallenge; proof: PasskeyProof },
): Promise<boolean> {
  const response = readScaAssertion(proof.passkeyAssertion)
  if (!response || !passkey || !challenge.passkeyChallenge) return false
  if (passkey.credentialId !== challenge.passkeyCredentialId) return false
  const verdict = await verifyScaAssertion({
    response,
    passkey,
    challenge: challenge.passkeyChallenge,
    origin: proof.origin,
    relyingParty: await mustFindRelyingParty(work),
  })
  if (!verdict.ok) return false
  const { counter } = verdict
  savePasskeyCounter(work.tx, work.platform.id, { customerId: customer.id, counter })
  return true
}
