/**
 * A wallet's device in software, on the packages that real wallets use: it seals codes, opens what the service seals
 * to it, and stamps payloads. Where it accepts, a real client does.
 */
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import {
  decryptCredentialBundle,
  decryptExportBundle,
  encryptOtpCodeToBundle,
  generateP256KeyPair,
  getPublicKey,
  verifyOtpVerificationToken,
} from '@turnkey/crypto'

/** `publicKey` is compressed: the service takes it as the session's key. `publicKeyUncompressed` asks for a sealed one. */
export type DeviceKey = Readonly<{
  privateKey: string
  publicKey: string
  publicKeyUncompressed: string
}>

export type StampRuntime = 'node' | 'purejs'

export function newDeviceKey(): DeviceKey {
  return generateP256KeyPair()
}

/** The key pair of a private scalar, such as one that the service sealed to this device. */
export function deviceKeyOf(privateKey: string): DeviceKey {
  const hexOf = (isCompressed: boolean): string =>
    Buffer.from(getPublicKey(privateKey, isCompressed)).toString('hex')
  return { privateKey, publicKey: hexOf(true), publicKeyUncompressed: hexOf(false) }
}

/** Verifies `otpEncryptionTargetBundle` under the pinned signer, then seals the code to it: `encryptedOtpBundle`. */
export function sealOtp({
  code,
  targetBundle,
  publicKey,
  signerPublicKey,
}: {
  code: string
  targetBundle: string
  publicKey: string
  signerPublicKey: string
}): Promise<string> {
  return encryptOtpCodeToBundle(code, targetBundle, publicKey, signerPublicKey)
}

/** The claims of an OTP's `payloadToSign`; throws unless the pinned signer made it and it has not expired. */
export function readVerificationToken({
  token,
  signerPublicKey,
}: {
  token: string
  signerPublicKey: string
}): ReturnType<typeof verifyOtpVerificationToken> {
  return verifyOtpVerificationToken(token, signerPublicKey)
}

/** Opens `encryptedSessionSigningKey`: the key that stamps from then on. */
export function openSessionKey({
  encryptedSessionSigningKey,
  device,
}: {
  encryptedSessionSigningKey: string
  device: DeviceKey
}): DeviceKey {
  return deviceKeyOf(decryptCredentialBundle(encryptedSessionSigningKey, device.privateKey))
}

/** Opens `encryptedWalletCredentials`; the organization is read from the payload that was signed for the export. */
export function openExport({
  encryptedWalletCredentials,
  payloadToSign,
  device,
  signerPublicKey,
}: {
  encryptedWalletCredentials: string
  payloadToSign: string
  device: DeviceKey
  signerPublicKey: string
}): Promise<string> {
  const { organizationId } = JSON.parse(payloadToSign) as { organizationId: string }
  return decryptExportBundle({
    exportBundle: encryptedWalletCredentials,
    organizationId,
    embeddedKey: device.privateKey,
    dangerouslyOverrideSignerPublicKey: signerPublicKey,
    returnMnemonic: true,
  })
}

/** The value of `Service-Wallet-Signature` over exactly this text. */
export async function stamp(
  device: DeviceKey,
  payloadToSign: string,
  runtimeOverride: StampRuntime = 'node',
): Promise<string> {
  const stamper = new ApiKeyStamper({
    apiPublicKey: device.publicKey,
    apiPrivateKey: device.privateKey,
    runtimeOverride,
  })
  return (await stamper.stamp(payloadToSign)).stampHeaderValue
}
