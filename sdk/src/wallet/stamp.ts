import { base64UrlOf, hexOf, utf8 } from '../bytes.ts'
import type { Sign } from '../caller.ts'
import { derOfRaw } from '../der-signature.ts'
import type { DeviceKey } from './device-key.ts'

const SCHEME = 'SIGNATURE_SCHEME_TK_API_P256'
const ECDSA = { name: 'ECDSA', hash: 'SHA-256' }

/** The stamp of this key over exactly this text: what goes along as `signature.stamp`. */
export async function stamp(key: DeviceKey, payloadToSign: string): Promise<string> {
  const raw = await crypto.subtle.sign(ECDSA, key.signingKey, utf8(payloadToSign))
  const signature = hexOf(derOfRaw(new Uint8Array(raw)))
  return base64UrlOf(utf8(JSON.stringify({ publicKey: key.publicKey, scheme: SCHEME, signature })))
}

/** For the `sign` of a call, where the key is in the same process. */
export const stampWith =
  (key: DeviceKey): Sign =>
  (payloadToSign) =>
    stamp(key, payloadToSign)
