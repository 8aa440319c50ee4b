import { passkeyRequestOptions } from '../../crypto/passkey/sca-passkey.ts'
import type { ScaRelyingParty } from '../../crypto/passkey/relying-party.ts'
import type { Passkey } from '../../crypto/passkey/verify-registration.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { ScaChallenge } from './challenge.ts'
import { availableFactors, type Factors } from './factor.ts'
import type { ScaReset } from './reset-store.ts'
import type { StartedLogin } from './start-login.ts'

export function factorsToWire(factors: Factors) {
  return {
    factors: availableFactors(factors).map((factor) => ({
      factor,
      ...(factor === 'PASSKEY' && { credentialId: factors.passkey?.credentialId ?? '' }),
    })),
  }
}

export function loginToWire({ challenge, passkey }: StartedLogin) {
  const { id, factor, expiresAt } = challenge
  const isSent = factor === 'SMS_OTP'
  return {
    factor,
    ...(isSent && {
      challengeId: formatId('scaChallenge', id),
      expiresAt: toWireTime(expiresAt),
    }),
    ...(passkey && { ...passkey, allowedOrigins: [...passkey.allowedOrigins] }),
  }
}

/** What a passkey needs to sign a challenge; absent where none may be used. */
export type PasskeyUse = Readonly<{
  passkey: Pick<Passkey, 'credentialId' | 'rpId'>
  relyingParty: ScaRelyingParty
}>

export function challengeToWire(challenge: ScaChallenge, use: PasskeyUse | undefined) {
  const { id, factor, expiresAt, purpose, availableFactors: usable, passkeyChallenge } = challenge
  // A passkey may have been removed since.
  const shown = usable.filter((one) => one !== 'PASSKEY' || use)
  return {
    id: formatId('scaChallenge', id),
    factor,
    expiresAt: toWireTime(expiresAt),
    purpose,
    availableFactors: shown,
    ...(passkeyChallenge &&
      use && {
        passkeyAssertionOptions: passkeyRequestOptions({
          challenge: passkeyChallenge,
          passkey: use.passkey,
        }),
        passkeyAllowedOrigins: [...use.relyingParty.allowedOrigins],
      }),
  }
}

export function resetToWire({ status, factor, expiresAt, completedAt, enrolledAt }: ScaReset) {
  return {
    status,
    factor,
    expiresAt: toWireTime(expiresAt),
    ...(completedAt && { completedAt: toWireTime(completedAt) }),
    ...(factor !== 'SMS_OTP' && {
      enrollmentStatus: enrolledAt ? ('COMPLETED' as const) : ('PENDING' as const),
    }),
  }
}
