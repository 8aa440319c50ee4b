import { p256 } from '@noble/curves/nist.js'
import { base64UrlOf, bytesOfHex, hexOf, type Bytes } from '../bytes.ts'

/** By what makes one: the name is global in the types of browsers only, not in those of Node.js. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/**
 * The key of a device. Its private half cannot be read out any more: both keys are `CryptoKey`s that sign or open and
 * nothing else, and may be kept as they are, in a browser in IndexedDB.
 */
export type DeviceKey = Readonly<{
  /** Compressed. Sent as `clientPublicKey`, the session signs with this key itself. */
  publicKey: string
  /** Sent as `clientPublicKey`, the service makes the key of the session and seals it to this one. */
  publicKeyUncompressed: string
  signingKey: Key
  openingKey: Key
}>

const CURVE = 'P-256'

export async function createDeviceKey(): Promise<DeviceKey> {
  return deviceKeyOf(new Uint8Array(p256.utils.randomSecretKey()))
}

/** The key pair of a private scalar of 32 bytes, which is overwritten. */
export async function deviceKeyOf(scalar: Bytes): Promise<DeviceKey> {
  const point = p256.getPublicKey(scalar, false)
  const jwk: JsonWebKey = {
    kty: 'EC',
    crv: CURVE,
    d: base64UrlOf(scalar),
    x: base64UrlOf(point.subarray(1, 33)),
    y: base64UrlOf(point.subarray(33)),
  }
  const compressed = p256.getPublicKey(scalar, true)
  scalar.fill(0)
  const imported = (name: string, usage: 'sign' | 'deriveBits'): Promise<Key> =>
    crypto.subtle.importKey('jwk', jwk, { name, namedCurve: CURVE }, false, [usage])
  return {
    publicKey: hexOf(compressed),
    publicKeyUncompressed: hexOf(point),
    signingKey: await imported('ECDSA', 'sign'),
    openingKey: await imported('ECDH', 'deriveBits'),
  }
}

/** The 65 bytes of a point in either encoding; throws for what does not lie on the curve. */
export function pointBytes(hex: string): Bytes {
  const bytes = bytesOfHex(hex)
  if (bytes === undefined) throw new TypeError('a public key is written in hex')
  return new Uint8Array(p256.Point.fromBytes(bytes).toBytes(false))
}
