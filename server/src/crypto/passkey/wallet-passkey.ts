/** Passkeys of embedded wallets: the fields of chapter 20 around the checks of WebAuthn. */
import type { FieldError } from '../../kernel/errors.ts'
import { decodeBase64url } from '../encoding/base64url.ts'
import { assertionAccepts, registrationPolicy } from './relying-party.ts'
import { verifyAssertion } from './verify-assertion.ts'
import type { AssertionCheck, AssertionVerdict } from './verify-assertion.ts'
import type { Passkey, RegistrationProblem, RegistrationResponse } from './verify-registration.ts'

const CHALLENGE_BYTES_MIN = 16

const FIELDS: Record<RegistrationProblem['part'], string> = {
  challenge: 'challenge',
  clientDataJson: 'attestation.clientDataJson',
  attestationObject: 'attestation.attestationObject',
  credentialId: 'attestation.credentialId',
}

export type WalletPasskeyVerdict =
  /** The bytes of the challenge, which the account stores as used. */
  | Readonly<{ ok: true; passkey: Passkey; challenge: Buffer }>
  | Readonly<{ ok: false; errors: readonly FieldError[] }>

/** Checks CRED-13 and CRED-14, except for challenges and credential ids that the account has used before. */
export async function verifyWalletPasskey({
  challenge: challengeText,
  attestation,
  configuredOrigins,
}: {
  challenge: string
  attestation: RegistrationResponse
  configuredOrigins: readonly string[]
}): Promise<WalletPasskeyVerdict> {
  const challenge = decodeBase64url(challengeText)
  if (challenge === undefined || challenge.length < CHALLENGE_BYTES_MIN) {
    const message = `must be base64url of at least ${CHALLENGE_BYTES_MIN} bytes`
    return { ok: false, errors: [{ field: FIELDS.challenge, message }] }
  }
  // With its library only when it is needed, as in `verifyAssertion`.
  const { verifyRegistration } = await import('./verify-registration.ts')
  const verdict = await verifyRegistration({
    response: attestation,
    challenge,
    policy: registrationPolicy(configuredOrigins),
    requireUserVerification: false,
  })
  if (verdict.ok) return { ok: true, passkey: verdict.passkey, challenge }
  const errors = verdict.problems.map(({ part, message }) => ({ field: FIELDS[part], message }))
  return { ok: false, errors }
}

/** The authenticator signs the characters of the challenge, not the bytes of its hex (VRFY-9). */
export function verifyWalletAssertion({
  response,
  passkey,
  challenge,
  configuredOrigins,
}: Pick<AssertionCheck, 'response' | 'passkey'> & {
  challenge: string
  configuredOrigins: readonly string[]
}): Promise<AssertionVerdict> {
  return verifyAssertion({
    response,
    passkey,
    challenge: Buffer.from(challenge, 'utf8'),
    accepts: assertionAccepts(configuredOrigins, passkey.rpId),
    requireUserVerification: false,
  })
}
