/** The public key of a passkey as the authenticator states it (COSE, RFC 9053). */
import { createPublicKey } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { PASSKEY_ALGORITHMS, type PasskeyAlgorithm } from './algorithms.ts'

const RSA_BITS_MIN = 2_048

/** Labels of a COSE key; the meaning of the negative ones depends on the kind of key. */
const [KIND, ALGORITHM, CURVE_OR_N, X_OR_E, Y] = [1, 3, -1, -2, -3]

type CoseKey = Readonly<{ get(label: number): unknown }>

/**
 * The algorithm, once the key is known to be one: of the right kind, and on its curve. Undefined otherwise, so that
 * no credential is registered that could never sign.
 */
export function coseAlgorithm(publicKey: Uint8Array): PasskeyAlgorithm | undefined {
  try {
    const cose = decodeCredentialPublicKey(Uint8Array.from(publicKey)) as unknown as CoseKey
    const algorithm = PASSKEY_ALGORITHMS.find((known) => known === cose.get(ALGORITHM))
    if (algorithm === undefined) return undefined
    const key = createPublicKey({ format: 'jwk', key: toJwk(cose, algorithm) })
    const bits = key.asymmetricKeyDetails?.modulusLength ?? RSA_BITS_MIN
    return bits >= RSA_BITS_MIN ? algorithm : undefined
  } catch {
    // Neither the decoder nor the import says more than that it is none.
    return undefined
  }
}

function toJwk(cose: CoseKey, algorithm: PasskeyAlgorithm): JsonWebKey {
  const text = (label: number): string =>
    Buffer.from(cose.get(label) as Uint8Array).toString('base64url')
  const isKind = (kind: number, curve?: number): boolean =>
    cose.get(KIND) === kind && (curve === undefined || cose.get(CURVE_OR_N) === curve)
  if (algorithm === -7 && isKind(2, 1)) {
    return { kty: 'EC', crv: 'P-256', x: text(X_OR_E), y: text(Y) }
  }
  if (algorithm === -8 && isKind(1, 6)) return { kty: 'OKP', crv: 'Ed25519', x: text(X_OR_E) }
  if (algorithm === -257 && isKind(3)) {
    return { kty: 'RSA', n: text(CURVE_OR_N), e: text(X_OR_E) }
  }
  return {}
}
