import { bytesOfHex, type Bytes } from '../bytes.ts'
import { rawOfDer } from '../der-signature.ts'
import { pointBytes } from './device-key.ts'

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Something that the service sent to a device is not what it should be. Do not go on with it. */
export class WalletBundleError extends Error {
  override readonly name = 'WalletBundleError'
}

/** Hex, as an inner value has to be; named for the error. */
export function mustBytesOfHex(value: unknown, name: string): Bytes {
  const bytes = typeof value === 'string' ? bytesOfHex(value) : undefined
  if (bytes === undefined) throw new WalletBundleError(`the bundle has no ${name}`)
  return bytes
}

export function objectOf(json: string): Readonly<Record<string, unknown>> {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    throw new WalletBundleError('the bundle is no JSON')
  }
  if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
  throw new WalletBundleError('the bundle is no object')
}

/**
 * What a bundle holds, once it is certain that the pinned signer signed it: without that, an attacker between device
 * and service could put in a key of its own and read what the device seals.
 */
export async function readSignedBundle(
  bundle: string,
  signerPublicKey: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { data, dataSignature, enclaveQuorumPublic } = objectOf(bundle)
  if (enclaveQuorumPublic !== signerPublicKey) {
    throw new WalletBundleError('the bundle names another signer than the pinned one')
  }
  const bytes = mustBytesOfHex(data, 'data')
  const signature = rawOfDer(mustBytesOfHex(dataSignature, 'dataSignature'))
  const key = await crypto.subtle.importKey('raw', pointBytes(signerPublicKey), ECDSA, false, [
    'verify',
  ])
  if (signature === undefined || !(await crypto.subtle.verify(ECDSA, key, signature, bytes))) {
    throw new WalletBundleError('the signature of the bundle does not verify')
  }
  return objectOf(new TextDecoder().decode(bytes))
}
