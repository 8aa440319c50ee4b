/**
 * An authenticator in software: what `navigator.credentials.create()` and `.get()` would give, for any origin,
 * relying party and moment a test wants, right or wrong. ES256 unless asked otherwise.
 */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export type AuthenticatorAlgorithm = 'ES256' | 'EdDSA' | 'RS256'

/** Everything that a page, browser or authenticator decides; the rest is a well-behaved one. */
export type Ceremony = Readonly<{
  /** The bytes to be signed; of a wallet login, the characters of the hex challenge. */
  challenge: Buffer
  origin?: string
  rpId?: string
  isUserPresent?: boolean
  isUserVerified?: boolean
  counter?: number
  /** Members that replace or join those of the client data. */
  clientData?: Readonly<Record<string, unknown>>
}>

export type RegistrationCeremony = Ceremony & Readonly<{ attestation?: 'none' | 'packed' }>

/** base64url without padding, by the names of chapter 20. */
export type Registration = Readonly<{
  credentialId: string
  clientDataJson: string
  attestationObject: string
  transports: readonly string[]
}>

export type Assertion = Readonly<{
  credentialId: string
  clientDataJson: string
  authenticatorData: string
  signature: string
}>

export type SoftwareAuthenticator = Readonly<{
  credentialId: string
  register(ceremony: RegistrationCeremony): Registration
  /** Counts up by itself unless told a counter. */
  assert(ceremony: Ceremony): Assertion
}>

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED = 0x40
const AAGUID_BYTES = 16
const COORDINATE_BYTES = 32

export function softwareAuthenticator({
  algorithm = 'ES256',
  origin = 'http://localhost',
  rpId = 'localhost',
  credentialIdBytes = 32,
}: {
  algorithm?: AuthenticatorAlgorithm
  origin?: string
  rpId?: string
  credentialIdBytes?: number
} = {}): SoftwareAuthenticator {
  const credentialId = randomBytes(credentialIdBytes)
  const idText = credentialId.toString('base64url')
  const keys = newKeys(algorithm)
  const page = { origin, rpId }
  let lastCounter = 0
  const countTo = (counter: number): number => (lastCounter = counter)

  return {
    credentialId: idText,
    register(ceremony) {
      const clientData = clientDataOf('webauthn.create', { ...page, ...ceremony })
      const counter = countTo(ceremony.counter ?? lastCounter)
      const data = Buffer.concat([
        authenticatorDataOf({ ...page, ...ceremony, counter }, ATTESTED),
        Buffer.alloc(AAGUID_BYTES),
        Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]),
        credentialId,
        keys.cose,
      ])
      const signature = keys.sign(Buffer.concat([data, sha256(clientData)]))
      const attestationObject = cborMap([
        [cborText('fmt'), cborText(ceremony.attestation ?? 'none')],
        [cborText('attStmt'), statementOf(ceremony, keys, signature)],
        [cborText('authData'), cborBytes(data)],
      ])
      return {
        credentialId: idText,
        clientDataJson: clientData.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      }
    },
    assert(ceremony) {
      const clientData = clientDataOf('webauthn.get', { ...page, ...ceremony })
      const counter = countTo(ceremony.counter ?? lastCounter + 1)
      const data = authenticatorDataOf({ ...page, ...ceremony, counter }, 0)
      const signature = keys.sign(Buffer.concat([data, sha256(clientData)]))
      return {
        credentialId: idText,
        clientDataJson: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
    },
  }
}

type PlacedCeremony = Ceremony & Readonly<{ origin: string; rpId: string }>

function clientDataOf(type: string, { challenge, origin, clientData }: PlacedCeremony): Buffer {
  const emitted = {
    type,
    challenge: challenge.toString('base64url'),
    origin,
    crossOrigin: false,
    ...clientData,
  }
  return Buffer.from(JSON.stringify(emitted), 'utf8')
}

function authenticatorDataOf(
  {
    rpId,
    isUserPresent = true,
    isUserVerified = true,
    counter,
  }: PlacedCeremony & { counter: number },
  extraFlags: number,
): Buffer {
  const flags =
    (isUserPresent ? USER_PRESENT : 0) | (isUserVerified ? USER_VERIFIED : 0) | extraFlags
  const counterBytes = Buffer.alloc(4)
  counterBytes.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), counterBytes])
}

/** Of attestation `packed`, the credential's own key vouches for itself. */
function statementOf(
  { attestation }: RegistrationCeremony,
  { coseAlgorithm }: Keys,
  signature: Buffer,
): Buffer {
  if (attestation !== 'packed') return cborMap([])
  return cborMap([
    [cborText('alg'), cborInteger(coseAlgorithm)],
    [cborText('sig'), cborBytes(signature)],
  ])
}

/** The same ceremonies as the JSON that browsers give (`PublicKeyCredential.toJSON()`), for chapter 21. */
export function toWebauthnJson({
  credentialId,
  clientDataJson,
  ...rest
}: Registration | Assertion): Record<string, unknown> {
  return {
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    response: { clientDataJSON: clientDataJson, ...rest },
    clientExtensionResults: {},
  }
}

type Keys = Readonly<{ cose: Buffer; coseAlgorithm: number; sign(bytes: Buffer): Buffer }>

function newKeys(algorithm: AuthenticatorAlgorithm): Keys {
  switch (algorithm) {
    case 'ES256':
      return ellipticKeys()
    case 'EdDSA':
      return edwardsKeys()
    case 'RS256':
      return rsaKeys()
  }
}

function ellipticKeys(): Keys {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cose = cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(jwkPart(publicKey, 'x', COORDINATE_BYTES))],
    [cborInteger(-3), cborBytes(jwkPart(publicKey, 'y', COORDINATE_BYTES))],
  ])
  return { cose, coseAlgorithm: -7, sign: (bytes) => sign('sha256', bytes, privateKey) }
}

function edwardsKeys(): Keys {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const cose = cborMap([
    [cborInteger(1), cborInteger(1)],
    [cborInteger(3), cborInteger(-8)],
    [cborInteger(-1), cborInteger(6)],
    [cborInteger(-2), cborBytes(jwkPart(publicKey, 'x'))],
  ])
  return { cose, coseAlgorithm: -8, sign: (bytes) => sign(null, bytes, privateKey) }
}

function rsaKeys(): Keys {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const cose = cborMap([
    [cborInteger(1), cborInteger(3)],
    [cborInteger(3), cborInteger(-257)],
    [cborInteger(-1), cborBytes(jwkPart(publicKey, 'n'))],
    [cborInteger(-2), cborBytes(jwkPart(publicKey, 'e'))],
  ])
  return { cose, coseAlgorithm: -257, sign: (bytes) => sign('sha256', bytes, privateKey) }
}

function jwkPart(key: KeyObject, name: 'x' | 'y' | 'n' | 'e', length = 0): Buffer {
  const bytes = Buffer.from(key.export({ format: 'jwk' })[name] ?? '', 'base64url')
  return Buffer.concat([Buffer.alloc(Math.max(0, length - bytes.length)), bytes])
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()

// The few forms of CBOR that WebAuthn needs: a head of major type and number, then the content.

const UNSIGNED = 0
const NEGATIVE = 1
const BYTES = 2
const TEXT = 3
const MAP = 5

function cborHead(major: number, number: number): Buffer {
  if (number < 24) return Buffer.from([(major << 5) | number])
  if (number < 0x100) return Buffer.from([(major << 5) | 24, number])
  return Buffer.from([(major << 5) | 25, number >> 8, number & 0xff])
}

const cborInteger = (value: number): Buffer =>
  value < 0 ? cborHead(NEGATIVE, -1 - value) : cborHead(UNSIGNED, value)

const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(BYTES, bytes.length), bytes])

const cborText = (text: string): Buffer =>
  Buffer.concat([cborHead(TEXT, Buffer.byteLength(text)), Buffer.from(text, 'utf8')])

const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([cborHead(MAP, entries.length), ...entries.flat()])
