/** Decides whether a well-formed token is fresh and fits the credential (CRED-15, VRFY-6). Pure: time is an argument. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Environment } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { OidcIdentity, OidcToken } from './oidc-token.ts'

/** The texts of `details.reason`, in the order of the checks. */
export type OidcRefusal =
  | 'OIDC token signature is invalid'
  | 'OIDC token is older than 60 seconds'
  | 'OIDC token is issued in the future'
  | 'OIDC token has expired'
  | 'OIDC token identity does not match the credential'
  | 'OIDC token nonce does not match clientPublicKey'
  | 'OIDC token was already used'

const AGE_SECONDS_MAX = 60
const SKEW_SECONDS = 5
/** Clocks may differ both ways in the sandbox; in production a token may only seem to come from the future. */
const lateSeconds = (environment: Environment): number =>
  traitsOf({ environment }).verifiesTokens ? 0 : SKEW_SECONDS

/** Age, future, expiry, in this order. Claims count whole seconds, and so does `now`. */
export function judgeOidcFreshness(
  token: OidcToken,
  { now, environment }: { now: Date; environment: Environment },
): OidcRefusal | undefined {
  const nowSeconds = Math.floor(now.getTime() / 1_000)
  const { issuedAtSeconds, expiresAtSeconds, notBeforeSeconds = issuedAtSeconds } = token
  if (nowSeconds - issuedAtSeconds > AGE_SECONDS_MAX + lateSeconds(environment)) {
    return 'OIDC token is older than 60 seconds'
  }
  if (Math.max(issuedAtSeconds, notBeforeSeconds) - nowSeconds > SKEW_SECONDS) {
    return 'OIDC token is issued in the future'
  }
  return expiresAtSeconds <= nowSeconds ? 'OIDC token has expired' : undefined
}

/** Checks identity, then nonce: the token names the credential's identity and the device's key. */
export function judgeOidcBinding(
  token: OidcToken,
  { identity, clientPublicKey }: { identity: OidcIdentity; clientPublicKey: string },
): OidcRefusal | undefined {
  const { issuer, audience, subject } = token.identity
  const isSame =
    issuer === identity.issuer && audience === identity.audience && subject === identity.subject
  if (!isSame) return 'OIDC token identity does not match the credential'
  return isNonceOf(token.nonce ?? '', clientPublicKey)
    ? undefined
    : 'OIDC token nonce does not match clientPublicKey'
}

/** The hash of the key's hex text as sent, its case kept (3.12). */
export function oidcNonce(clientPublicKey: string): string {
  return createHash('sha256').update(clientPublicKey, 'ascii').digest('hex')
}

function isNonceOf(nonce: string, clientPublicKey: string): boolean {
  const given = Buffer.from(nonce, 'utf8')
  const expected = Buffer.from(oidcNonce(clientPublicKey), 'ascii')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
