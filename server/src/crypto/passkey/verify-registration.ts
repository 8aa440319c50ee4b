/**
 * Verifies a new passkey (CRED-13, SCA-16). Each fault is checked here and reported by the part that it lies in; the
 * library then checks again and verifies the attestation statement. Its messages are not passed on.
 */
import { createHash } from 'node:crypto'
import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import { decodeBase64url } from '../encoding/base64url.ts'
import { originsAreAccepted, readClientData } from './client-data.ts'
import type { ClientData } from './client-data.ts'
import { PASSKEY_ALGORITHMS, type PasskeyAlgorithm } from './algorithms.ts'
import { coseAlgorithm } from './cose-key.ts'
import type { OriginPolicy } from './relying-party.ts'

/** Binary values are base64url; padding is tolerated. */
export type RegistrationResponse = Readonly<{
  credentialId: string
  clientDataJson: string
  attestationObject: string
}>

export type RegistrationCheck = Readonly<{
  response: RegistrationResponse
  challenge: Buffer
  policy: OriginPolicy
  requireUserVerification: boolean
}>

/** The stored part of a passkey; the counter moves with every assertion. */
export type Passkey = Readonly<{
  /** base64url without padding */
  credentialId: string
  /** COSE */
  publicKey: Buffer
  algorithm: PasskeyAlgorithm
  counter: number
  rpId: string
}>

export type RegistrationProblem = Readonly<{
  part: 'challenge' | 'clientDataJson' | 'attestationObject' | 'credentialId'
  message: string
}>

export type RegistrationVerdict =
  | Readonly<{ ok: true; passkey: Passkey }>
  | Readonly<{ ok: false; problems: readonly RegistrationProblem[] }>

export async function verifyRegistration(check: RegistrationCheck): Promise<RegistrationVerdict> {
  const clientData = readClientData(check.response.clientDataJson)
  const attested = readAttested(check.response.attestationObject)
  const problems = [
    ...clientDataProblems(check, clientData),
    ...attestationProblems(check, clientData, attested),
  ]
  const passkey = attested && toPasskey(check, clientData, attested)
  if (problems.length > 0 || clientData === undefined || passkey === undefined) {
    return { ok: false, problems }
  }
  return (await attestationVerifies(check, clientData, passkey))
    ? { ok: true, passkey }
    : refused('attestationObject', 'must hold an attestation statement that verifies')
}

function clientDataProblems(
  { challenge, policy }: RegistrationCheck,
  clientData: ClientData | undefined,
): RegistrationProblem[] {
  if (clientData === undefined) {
    return [problem('clientDataJson', 'must be base64url of the JSON that the browser made')]
  }
  const problems: RegistrationProblem[] = []
  if (clientData.type !== 'webauthn.create') {
    problems.push(problem('clientDataJson', 'must be of type webauthn.create'))
  } else if (!originsAreAccepted(clientData, policy.accepts)) {
    problems.push(problem('clientDataJson', 'must come from an accepted origin'))
  }
  if (clientData.challenge?.equals(challenge) !== true) {
    problems.push(problem('challenge', 'must be the challenge in the client data'))
  }
  return problems
}

type Attested = Readonly<{
  rpIdHash: Buffer
  isUserPresent: boolean
  isUserVerified: boolean
  counter: number
  credentialId: string
  publicKey: Buffer
}>

/** Undefined when it does not decode, or no credential is in it. */
function readAttested(attestationObject: string): Attested | undefined {
  const bytes = decodeBase64url(attestationObject)
  if (bytes === undefined) return undefined
  try {
    const decoded = decodeAttestationObject(Uint8Array.from(bytes))
    const data = parseAuthenticatorData(decoded.get('authData'))
    const { credentialID, credentialPublicKey } = data
    if (credentialID === undefined || credentialPublicKey === undefined) return undefined
    return {
      rpIdHash: Buffer.from(data.rpIdHash),
      isUserPresent: data.flags.up,
      isUserVerified: data.flags.uv,
      counter: data.counter,
      credentialId: Buffer.from(credentialID).toString('base64url'),
      publicKey: Buffer.from(credentialPublicKey),
    }
  } catch {
    return undefined
  }
}

/** Longer ones are no credentials (WebAuthn, section 7.1). */
const CREDENTIAL_ID_BYTES_MAX = 1_023

function credentialIdProblems(
  { response }: RegistrationCheck,
  attested: Attested,
): RegistrationProblem[] {
  const bytes = decodeBase64url(response.credentialId)
  if (bytes?.toString('base64url') !== attested.credentialId) {
    return [problem('credentialId', 'must be the id of the attested credential')]
  }
  const isTooLong = bytes.length > CREDENTIAL_ID_BYTES_MAX
  return isTooLong
    ? [problem('credentialId', `must have at most ${CREDENTIAL_ID_BYTES_MAX} bytes`)]
    : []
}

function attestationProblems(
  check: RegistrationCheck,
  clientData: ClientData | undefined,
  attested: Attested | undefined,
): RegistrationProblem[] {
  if (attested === undefined) {
    return [problem('attestationObject', 'must decode to an attested credential')]
  }
  const message =
    (coseAlgorithm(attested.publicKey) === undefined &&
      'must hold an ES256, EdDSA or RS256 public key') ||
    (!attested.isUserPresent && 'must state that the user was present') ||
    (check.requireUserVerification &&
      !attested.isUserVerified &&
      'must state that the user was verified') ||
    (clientData !== undefined &&
      check.policy.accepts(clientData.origin) &&
      findRpId(check, clientData, attested) === undefined &&
      'must belong to an accepted relying-party id')
  return [
    ...(message ? [problem('attestationObject', message)] : []),
    ...credentialIdProblems(check, attested),
  ]
}

function findRpId(
  { policy }: RegistrationCheck,
  { origin }: ClientData,
  { rpIdHash }: Attested,
): string | undefined {
  return policy
    .rpIdsOf(origin)
    .find((rpId) => createHash('sha256').update(rpId, 'utf8').digest().equals(rpIdHash))
}

function toPasskey(
  check: RegistrationCheck,
  clientData: ClientData | undefined,
  attested: Attested,
): Passkey | undefined {
  const algorithm = coseAlgorithm(attested.publicKey)
  const rpId = clientData && findRpId(check, clientData, attested)
  if (algorithm === undefined || rpId === undefined) return undefined
  const { credentialId, publicKey, counter } = attested
  return { credentialId, publicKey, algorithm, counter, rpId }
}

async function attestationVerifies(
  { response, requireUserVerification }: RegistrationCheck,
  clientData: ClientData,
  { credentialId, rpId }: Passkey,
): Promise<boolean> {
  const attestationObject = decodeBase64url(response.attestationObject)?.toString('base64url') ?? ''
  try {
    const { verified } = await verifyRegistrationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: { clientDataJSON: clientData.bytes.toString('base64url'), attestationObject },
        clientExtensionResults: {},
      },
      // Compared above as bytes; the library would compare encodings.
      expectedChallenge: () => true,
      expectedOrigin: clientData.origin,
      expectedRPID: rpId,
      requireUserVerification,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    })
    return verified
  } catch {
    return false
  }
}

const problem = (part: RegistrationProblem['part'], message: string): RegistrationProblem => ({
  part,
  message,
})

const refused = (part: RegistrationProblem['part'], message: string): RegistrationVerdict => ({
  ok: false,
  problems: [problem(part, message)],
})
