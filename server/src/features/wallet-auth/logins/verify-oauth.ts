import { refuse, type Refusal } from '../../../kernel/errors.ts'
import {
  judgeOidcBinding,
  judgeOidcFreshness,
  type OidcRefusal,
} from '../../../crypto/oidc/judge-oidc-token.ts'
import {
  digestOidcToken,
  isSupportedIssuer,
  type OidcToken,
} from '../../../crypto/oidc/oidc-token.ts'
import { addMs, DAY_MS } from '../../../kernel/clock.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustParseOidcToken, type OidcEvidence } from '../credentials/add-credential.ts'
import type { OauthCredential } from '../credentials/auth-method.ts'
import { clientKeyOf } from '../sessions/client-key.ts'
import { useToken } from '../credentials/store.ts'
import { issueSession } from '../sessions/issue-session.ts'
import { schedulePruning } from '../job-definitions.ts'
import type { WireSession } from '../wire.ts'

type OauthProof = Readonly<{
  credential: OauthCredential
  body: { oidcToken: string; clientPublicKey: string }
  evidence: unknown
}>

/**
 * Logs in with a fresh token of the same identity that is bound to the client's key (VRFY-6); a token is accepted once
 * (VRFY-7).
 * Fails: INVALID_INPUT. Refuses: UNAUTHORIZED with its reason.
 */
export async function verifyOauth(
  work: Work,
  { credential, body, evidence }: OauthProof,
): Promise<Reply<200, WireSession> | Refusal> {
  const { tx, platform, now } = work
  const token = mustParseOidcToken(platform, body.oidcToken)
  const { identity, id: credentialId } = credential
  const { clientPublicKey } = body
  const reason =
    findTokenProblem(work, token, evidence as OidcEvidence | undefined) ??
    judgeOidcBinding(token, { identity, clientPublicKey })
  if (reason !== undefined) return refuse('UNAUTHORIZED', { reason })
  // A token is refused as too old long before that, whatever its expiry claim.
  const expiresAt = addMs(now, DAY_MS)
  const digest = digestOidcToken(token)
  if (!(await useToken(tx, platform.id, { credentialId, digest, expiresAt }))) {
    return refuse('UNAUTHORIZED', { reason: 'OIDC token was already used' })
  }
  schedulePruning(work)
  const { accountId, type, nickname } = credential
  const origin = { accountId, credentialId, type, nickname, isUserVerified: true }
  const clientKey = clientKeyOf(clientPublicKey)
  return reply(200, await issueSession(work, { origin, clientKey }))
}

/** No credential belongs to an unsupported issuer, so the keys of such an issuer are not fetched. */
function findTokenProblem(
  { platform, settings, now }: Work,
  token: OidcToken,
  evidence: OidcEvidence | undefined,
): OidcRefusal | undefined {
  const { environment } = platform
  const isKnown = isSupportedIssuer(token.identity.issuer, settings.oidcIssuers)
  if (isKnown && traitsOf(platform).verifiesTokens && evidence?.isSigned !== true) {
    return 'OIDC token signature is invalid'
  }
  const stale = judgeOidcFreshness(token, { now, environment })
  return stale ?? (isKnown ? undefined : 'OIDC token identity does not match the credential')
}
