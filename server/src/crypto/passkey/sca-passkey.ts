/** Passkeys as a factor of strong customer authentication: WebAuthn JSON, with the user verified (SCA-6, SCA-16). */
import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { isJsonObject } from '../encoding/json-object.ts'
import type { JsonObject } from '../encoding/json-object.ts'
import { decodeBase64url } from '../encoding/base64url.ts'
import { PASSKEY_ALGORITHMS } from './algorithms.ts'
import type { ScaRelyingParty } from './relying-party.ts'
import { verifyAssertion } from './verify-assertion.ts'
import type { AssertionResponse, AssertionVerdict } from './verify-assertion.ts'
import type { Passkey, RegistrationResponse, RegistrationVerdict } from './verify-registration.ts'

const CHALLENGE_BYTES = 32

/** The challenge of an enrolment or a login; a payment's is derived from the payment. */
export function newScaChallenge(): Buffer {
  return randomBytes(CHALLENGE_BYTES)
}

/** A signature over it approves this payment and no other (SCA-44). */
export function scaPaymentChallenge(payment: {
  challengeId: string
  quoteId: string
  sendingAmount: string
  sendingCurrency: string
  receivingAmount: string
  receivingCurrency: string
  payee: string
}): Buffer {
  return createHash('sha256').update(canonicalJson(payment), 'utf8').digest()
}

/** Options for `navigator.credentials.create()` (SCA-15). */
export function passkeyCreationOptions({
  challenge,
  relyingPartyId,
  relyingPartyName,
  user,
}: {
  challenge: Buffer
  relyingPartyId: string
  relyingPartyName: string
  /** `id` is opaque to the device and at most 64 bytes. */
  user: Readonly<{ id: Buffer; name: string; displayName: string }>
}): JsonObject {
  return {
    challenge: challenge.toString('base64url'),
    rp: { id: relyingPartyId, name: relyingPartyName },
    user: { ...user, id: user.id.toString('base64url') },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { userVerification: 'required' },
    attestation: 'none',
  }
}

/** Options for `navigator.credentials.get()` (SCA-18, SCA-44). */
export function passkeyRequestOptions({
  challenge,
  passkey,
}: {
  challenge: Buffer
  passkey: Pick<Passkey, 'credentialId' | 'rpId'>
}): JsonObject {
  return {
    challenge: challenge.toString('base64url'),
    rpId: passkey.rpId,
    allowCredentials: [{ type: 'public-key', id: passkey.credentialId }],
    userVerification: 'required',
  }
}

/** The registration in WebAuthn JSON; undefined when it has another form. */
export function readScaRegistration(credential: unknown): RegistrationResponse | undefined {
  const parts = readPublicKeyCredential(credential)
  const attestationObject = parts?.response['attestationObject']
  if (parts === undefined || typeof attestationObject !== 'string') return undefined
  const { credentialId, clientDataJson } = parts
  return { credentialId, clientDataJson, attestationObject }
}

/** The assertion in WebAuthn JSON; undefined when it has another form. */
export function readScaAssertion(assertion: unknown): AssertionResponse | undefined {
  const parts = readPublicKeyCredential(assertion)
  if (parts === undefined) return undefined
  const { authenticatorData, signature } = parts.response
  if (typeof authenticatorData !== 'string' || typeof signature !== 'string') return undefined
  const { credentialId, clientDataJson } = parts
  return { credentialId, clientDataJson, authenticatorData, signature }
}

export async function verifyScaPasskey({
  response,
  challenge,
  origin,
  relyingParty,
}: {
  response: RegistrationResponse
  challenge: Buffer
  /** The field of the request; the browser must have said the same. */
  origin: string
  relyingParty: ScaRelyingParty
}): Promise<RegistrationVerdict> {
  const { policy } = relyingParty
  // With its library only when it is needed, as in `verifyAssertion`.
  const { verifyRegistration } = await import('./verify-registration.ts')
  return verifyRegistration({
    response,
    challenge,
    policy: { ...policy, accepts: (claimed) => claimed === origin && policy.accepts(claimed) },
    requireUserVerification: true,
  })
}

export function verifyScaAssertion({
  response,
  passkey,
  challenge,
  origin,
  relyingParty,
}: {
  response: AssertionResponse
  passkey: Passkey
  challenge: Buffer
  origin: string
  relyingParty: ScaRelyingParty
}): Promise<AssertionVerdict> {
  return verifyAssertion({
    response,
    passkey,
    challenge,
    accepts: (claimed) => claimed === origin && relyingParty.policy.accepts(claimed),
    requireUserVerification: true,
  })
}

type PublicKeyCredential = Readonly<{
  credentialId: string
  clientDataJson: string
  response: JsonObject
}>

/** `id` and `rawId` are the same bytes; `clientDataJson` is tolerated as a name. */
function readPublicKeyCredential(value: unknown): PublicKeyCredential | undefined {
  if (!isJsonObject(value) || value['type'] !== 'public-key') return undefined
  const { id, rawId = id, response } = value
  if (typeof id !== 'string' || typeof rawId !== 'string' || !isJsonObject(response)) {
    return undefined
  }
  const idBytes = decodeBase64url(id)
  const rawIdBytes = decodeBase64url(rawId)
  if (idBytes === undefined || rawIdBytes === undefined || !idBytes.equals(rawIdBytes)) {
    return undefined
  }
  const clientDataJson = response['clientDataJSON'] ?? response['clientDataJson']
  return typeof clientDataJson === 'string'
    ? { credentialId: id, clientDataJson, response }
    : undefined
}
