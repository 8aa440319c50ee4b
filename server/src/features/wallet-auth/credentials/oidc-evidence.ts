import { isSupportedIssuer, parseOidcToken } from '../../../crypto/oidc/oidc-token.ts'
import { verifyOidcSignature } from '../../../crypto/oidc/verify-oidc-signature.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { oidcKeys } from '../../../providers/oidc/oidc-keys.ts'
import type { OidcEvidence } from './add-credential.ts'

/**
 * Checks the issuer's signature of a token before the transaction begins. Undefined if it is not checked: the sandbox
 * checks none, and a token of an unsupported issuer is refused anyway.
 * Fails: SERVICE_UNAVAILABLE.
 */
export async function oidcEvidence({
  deps,
  platform,
  body,
}: Readonly<{ deps: Deps; platform: Platform; body: unknown }>): Promise<OidcEvidence | undefined> {
  const { oidcToken } = body as { oidcToken?: string }
  if (!traitsOf(platform).verifiesTokens || oidcToken === undefined) return undefined
  const token = parseOidcToken(oidcToken, platform.environment)
  const isKnown = token && isSupportedIssuer(token.identity.issuer, deps.settings.oidcIssuers)
  if (!isKnown) return undefined
  const { clock, settings } = deps
  const keys = oidcKeys(deps.outgoing[platform.environment], {
    clock,
    ownIssuers: settings.oidcIssuers,
  })
  return { isSigned: await verifyOidcSignature(token, keys) }
}
