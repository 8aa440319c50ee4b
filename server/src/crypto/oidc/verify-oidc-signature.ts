/** Verifies an issuer's signature of a token. The caller provides the keys, since they lie on the network. */
import * as errors from 'jose/errors'
import { createLocalJWKSet } from 'jose/jwks/local'
import { compactVerify } from 'jose/jws/compact/verify'
import type { CryptoKey, JSONWebKeySet, VerifyOptions } from 'jose'
import type { OidcToken } from './oidc-token.ts'

/**
 * The issuer's published keys, those that hold `keyId` if any do; undefined when the issuer publishes none that this
 * service trusts. A failure to reach the issuer is thrown as the port's own error and passes through.
 */
export type OidcKeyResolver = (
  wanted: Readonly<{ issuer: string; keyId: string | undefined }>,
) => Promise<JSONWebKeySet | undefined>

/** Only algorithms with a published key; a shared secret would let every holder sign. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

export async function verifyOidcSignature(
  { text, keyId, identity }: OidcToken,
  resolveKeys: OidcKeyResolver,
): Promise<boolean> {
  const published = await resolveKeys({ issuer: identity.issuer, keyId })
  return published !== undefined && isSignedBy(text, { published, algorithms: ALGORITHMS })
}

type Accepted = Readonly<{ published: JSONWebKeySet; algorithms: readonly string[] }>

/** Whether one of the published keys signed the text, by one of the algorithms. */
export async function isSignedBy(
  text: string,
  { published, algorithms }: Accepted,
): Promise<boolean> {
  const options = { algorithms: [...algorithms] }
  try {
    await compactVerify(text, createLocalJWKSet(published), options)
    return true
  } catch (error) {
    // A token that names no key may be signed by any of the issuer's keys.
    if (error instanceof errors.JWKSMultipleMatchingKeys)
      return verifiesWithAny(text, error, options)
    throwUnexpected(error)
    return false
  }
}

async function verifiesWithAny(
  text: string,
  keys: AsyncIterable<CryptoKey>,
  options: VerifyOptions,
): Promise<boolean> {
  for await (const key of keys) {
    try {
      await compactVerify(text, key, options)
      return true
    } catch (error) {
      throwUnexpected(error)
    }
  }
  return false
}

/** A key that cannot be imported verifies nothing; any other error is a bug of ours. */
function throwUnexpected(error: unknown): void {
  const isExpected =
    error instanceof errors.JOSEError ||
    error instanceof DOMException ||
    error instanceof TypeError ||
    error instanceof SyntaxError
  if (!isExpected) throw error
}
