import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { hexOf, utf8, type Bytes } from '../bytes.ts'
import type { AuthMethodResponse, PasskeyAuthChallenge } from '../generated/schemas.ts'
import { deviceKeyOf, pointBytes, type DeviceKey } from './device-key.ts'
import { openSealed, sealTo, type Sealed } from './hpke.ts'
import { mustBytesOfHex, objectOf, readSignedBundle, WalletBundleError } from './signed-bundle.ts'

const base58check = createBase58check(sha256)
const COMPRESSED_BYTES = 33

const open = async (key: DeviceKey, sealed: Sealed): Promise<Bytes> => {
  const recipient = { privateKey: key.openingKey, point: pointBytes(key.publicKeyUncompressed) }
  try {
    return await openSealed(recipient, sealed)
  } catch (cause) {
    throw new WalletBundleError('the bundle is not sealed to this key', { cause })
  }
}

/**
 * Seals the code that the owner typed for the login: the `encryptedOtpBundle` of `auth.credentials.verify`. `challenge`
 * is the answer of `auth.credentials.challenge`. The bundle names the device's key, which signs the login and then for
 * the session. Pin `signerPublicKey` in the app; it is what `auth.getWalletSigner` answers.
 */
export async function sealOtp({
  code,
  challenge,
  key,
  signerPublicKey,
}: {
  code: string
  challenge: AuthMethodResponse | PasskeyAuthChallenge
  key: Pick<DeviceKey, 'publicKey'>
  signerPublicKey: string
}): Promise<string> {
  const bundle = 'otpEncryptionTargetBundle' in challenge && challenge.otpEncryptionTargetBundle
  if (!bundle) throw new WalletBundleError('the challenge is none that is answered with a code')
  const { targetPublic } = await readSignedBundle(bundle, signerPublicKey)
  const target = pointBytes(hexOf(mustBytesOfHex(targetPublic, 'targetPublic')))
  const plaintext = JSON.stringify({ otp_code: code, public_key: key.publicKey })
  const { enc, ciphertext } = await sealTo(target, utf8(plaintext))
  return JSON.stringify({ encappedPublic: hexOf(enc), ciphertext: hexOf(ciphertext) })
}

/** Opens `encryptedSessionSigningKey` of a session: the key that signs from then on. */
export async function openSessionKey({
  encryptedSessionSigningKey,
  key,
}: {
  encryptedSessionSigningKey: string
  key: DeviceKey
}): Promise<DeviceKey> {
  const bytes = decodeBase58(encryptedSessionSigningKey)
  const enc = pointBytes(hexOf(bytes.subarray(0, COMPRESSED_BYTES)))
  const ciphertext = new Uint8Array(bytes.subarray(COMPRESSED_BYTES))
  return deviceKeyOf(await open(key, { enc, ciphertext }))
}

function decodeBase58(text: string): Uint8Array {
  try {
    return base58check.decode(text)
  } catch (cause) {
    throw new WalletBundleError('the sealed key cannot be read', { cause })
  }
}

/**
 * Opens `encryptedWalletCredentials` of an export: the twelve words of the wallet. `payloadToSign` is what was signed
 * for this export, so that the words of another wallet are refused.
 */
export async function openExport({
  encryptedWalletCredentials,
  payloadToSign,
  key,
  signerPublicKey,
}: {
  encryptedWalletCredentials: string
  payloadToSign: string
  key: DeviceKey
  signerPublicKey: string
}): Promise<string> {
  const inner = await readSignedBundle(encryptedWalletCredentials, signerPublicKey)
  if (inner['organizationId'] !== objectOf(payloadToSign)['organizationId']) {
    throw new WalletBundleError('the bundle belongs to another wallet')
  }
  const enc = pointBytes(hexOf(mustBytesOfHex(inner['encappedPublic'], 'encappedPublic')))
  const ciphertext = mustBytesOfHex(inner['ciphertext'], 'ciphertext')
  return new TextDecoder().decode(await open(key, { enc, ciphertext }))
}

/** The `nonce` that an OIDC token has to carry to log in with this key. */
export async function oidcNonce(clientPublicKey: string): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(clientPublicKey))))
}
