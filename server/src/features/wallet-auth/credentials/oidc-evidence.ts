import { isSupportedIssuer, parseOidcToken } from '../../../crypto/oidc/oidc-token.ts'
import { verifyOidcSignature } from '../../../crypto/oidc/verify-oidc-signature.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { oidcKeys } from '../../../providers/oidc/oidc-keys.ts'
import type { OidcEvidence } from './add-credential.ts'

type Asked = Readonly<{ deps: Deps; platform: Platform; body: unknown }>

/**
 * Whether the issuer signed a token, asked before the transaction begins. Undefined where it does not matter: the
 * sandbox checks no signatures, and what is no token of a supported issuer is refused as such.
 * Fails: SERVICE_UNAVAILABLE.
 */
export async function oidcEvidence({
  deps,
  platform,
  body,
}: Asked): Promise<OidcEvidence | undefined> {
  const { oidcToken } = body as { oidcToken?: string }
  if (platform.environment === 'SANDBOX' || oidcToken === undefined) return undefined
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
