/**
 * A passkey in use (VRFY-9, SCA-6). The checks run in the order of the rule, each with its own reason; the library
 * verifies the signature. Nothing it throws comes out.
 */
import { createHash } from 'node:crypto'
import { decodeBase64url } from '../encoding/base64url.ts'
import { isDerSignature } from '../encoding/der-signature.ts'
import { originsAreAccepted, readClientData } from './client-data.ts'
import type { ClientData } from './client-data.ts'
import type { Passkey } from './verify-registration.ts'

/** Binary values are base64url; padding is tolerated. */
export type AssertionResponse = Readonly<{
  credentialId: string
  clientDataJson: string
  authenticatorData: string
  signature: string
}>

export type AssertionCheck = Readonly<{
  response: AssertionResponse
  passkey: Passkey
  challenge: Buffer
  accepts: (origin: string) => boolean
  requireUserVerification: boolean
}>

/** The texts of `details.reason`; the last is for strong customer authentication only. */
export type AssertionRefusal =
  | 'Passkey credential id mismatch'
  | 'Passkey challenge mismatch'
  | 'Passkey origin mismatch'
  | 'Passkey RP ID mismatch'
  | 'User presence is required'
  | 'Passkey signature is invalid'
  | 'Passkey signature counter did not increase'
  | 'User verification is required'

export type AssertionVerdict =
  | Readonly<{ ok: true; counter: number; isUserVerified: boolean }>
  | Readonly<{ ok: false; reason: AssertionRefusal }>

/** On success the counter is to be stored. */
export async function verifyAssertion(check: AssertionCheck): Promise<AssertionVerdict> {
  const { response, passkey, challenge, accepts, requireUserVerification } = check
  if (!isCredentialId(response.credentialId, passkey)) {
    return refused('Passkey credential id mismatch')
  }
  const clientData = readClientData(response.clientDataJson)
  if (clientData?.type !== 'webauthn.get' || clientData.challenge?.equals(challenge) !== true) {
    return refused('Passkey challenge mismatch')
  }
  if (!originsAreAccepted(clientData, accepts)) return refused('Passkey origin mismatch')
  const data = readAuthenticatorData(response.authenticatorData)
  if (data === undefined || !data.rpIdHash.equals(sha256(passkey.rpId))) {
    return refused('Passkey RP ID mismatch')
  }
  if (!data.isUserPresent) return refused('User presence is required')
  if (requireUserVerification && !data.isUserVerified) {
    return refused('User verification is required')
  }
  if (!(await signatureVerifies(check, clientData, data.bytes))) {
    return refused('Passkey signature is invalid')
  }
  const isCounting = passkey.counter > 0 || data.counter > 0
  if (isCounting && data.counter <= passkey.counter) {
    return refused('Passkey signature counter did not increase')
  }
  return { ok: true, counter: data.counter, isUserVerified: data.isUserVerified }
}

/** The only check of the sandbox on an assertion with its literal signature. */
export function isCredentialId(
  credentialId: string,
  passkey: Pick<Passkey, 'credentialId'>,
): boolean {
  return decodeBase64url(credentialId)?.toString('base64url') === passkey.credentialId
}

const ES256 = -7
const RP_ID_HASH_BYTES = 32
const FLAGS_AT = 32
const COUNTER_AT = 33
const AUTHENTICATOR_DATA_BYTES_MIN = 37
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04

type AuthenticatorData = Readonly<{
  bytes: Buffer
  rpIdHash: Buffer
  isUserPresent: boolean
  isUserVerified: boolean
  counter: number
}>

/** Reads the fixed head; the library reads the extensions behind it. */
function readAuthenticatorData(authenticatorData: string): AuthenticatorData | undefined {
  const bytes = decodeBase64url(authenticatorData)
  if (bytes === undefined || bytes.length < AUTHENTICATOR_DATA_BYTES_MIN) return undefined
  const flags = bytes.readUInt8(FLAGS_AT)
  return {
    bytes,
    rpIdHash: bytes.subarray(0, RP_ID_HASH_BYTES),
    isUserPresent: (flags & USER_PRESENT) !== 0,
    isUserVerified: (flags & USER_VERIFIED) !== 0,
    counter: bytes.readUInt32BE(COUNTER_AT),
  }
}

async function signatureVerifies(
  { response, passkey, requireUserVerification }: AssertionCheck,
  clientData: ClientData,
  authenticatorData: Buffer,
): Promise<boolean> {
  const signature = decodeBase64url(response.signature)
  if (signature === undefined || !isOfForm(signature, passkey)) return false
  // Loaded when a passkey is first used: the library and what it needs are a sixth of all that a start would load.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: passkey.credentialId,
        rawId: passkey.credentialId,
        type: 'public-key',
        response: {
          clientDataJSON: clientData.bytes.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
        clientExtensionResults: {},
      },
      // The caller compares bytes; the library would compare encodings.
      expectedChallenge: () => true,
      expectedOrigin: clientData.origin,
      ...(typeof clientData.topOrigin === 'string' && { expectedTopOrigin: clientData.topOrigin }),
      expectedRPID: passkey.rpId,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        // The library judges the counter before the signature; the rule has it the other way round.
        counter: 0,
      },
      requireUserVerification,
    })
    return verified
  } catch {
    return false
  }
}

/** The library accepts looser DER as well; a signature has one valid encoding. */
function isOfForm(signature: Buffer, { algorithm }: Passkey): boolean {
  return algorithm !== ES256 || isDerSignature(signature)
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()

const refused = (reason: AssertionRefusal): AssertionVerdict => ({ ok: false, reason })
