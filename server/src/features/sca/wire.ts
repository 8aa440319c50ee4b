import { passkeyRequestOptions } from '../../crypto/passkey/sca-passkey.ts'
import type { ScaRelyingParty } from '../../crypto/passkey/relying-party.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { ScaChallenge } from './challenges/challenge.ts'
import { availableFactors, type Factors } from './factors/factor.ts'
import type { ScaReset } from './resets/store.ts'
import type { StartedLogin } from './logins/start-login.ts'

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

/** The relying party for which a passkey may sign a challenge; absent if no passkey may be used. */
export type PasskeyUse = Readonly<{ relyingParty: ScaRelyingParty }>

/** As it was issued, whatever has become of the customer's factors since (SCA-60). */
export function challengeToWire(challenge: ScaChallenge, use: PasskeyUse | undefined) {
  const { id, factor, expiresAt, purpose, passkeyChallenge } = challenge
  const { passkeyCredentialId: credentialId, passkeyRpId: rpId } = challenge
  return {
    id: formatId('scaChallenge', id),
    factor,
    expiresAt: toWireTime(expiresAt),
    purpose,
    availableFactors: [...challenge.availableFactors],
    ...(passkeyChallenge &&
      credentialId !== null &&
      rpId !== null && {
        passkeyAssertionOptions: passkeyRequestOptions({
          challenge: passkeyChallenge,
          passkey: { credentialId, rpId },
        }),
        ...(use && { passkeyAllowedOrigins: [...use.relyingParty.allowedOrigins] }),
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
