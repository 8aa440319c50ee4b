import { createHmac, hash } from 'node:crypto'
import { digestSecret, newSecret } from '../../../crypto/secret-hash.ts'
import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import type { Deps } from '../../../infra/deps.ts'
import { authorizationUrl, type OidcClient } from './issuer.ts'
import { insertOidcSignIn, pruneOidcSignIns } from './store.ts'

/** How long somebody may take at the issuer. */
export const SIGN_IN_SECONDS = 600

export const startedAfter = (now: Date): Date => addMs(now, -SIGN_IN_SECONDS * SECOND_MS)

export const redirectUriOf = (origin: string): string => `${origin}/sign-in/oidc/callback`

/**
 * State, nonce and verifier of one sign-in. They follow from the secret of its cookie and tell nothing about it or about
 * each other, so none of them is stored.
 */
export function valuesOf(
  secret: string,
): Readonly<{ state: string; nonce: string; verifier: string }> {
  const derive = (purpose: string): string =>
    createHmac('sha256', secret).update(purpose).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

export type StartedSignIn = Readonly<{
  /** For the cookie. */
  secret: string
  /** Where the browser goes. */
  url: string
}>

/** Fails: SERVICE_UNAVAILABLE where the issuer cannot be reached. */
export async function startOidcSignIn(
  deps: Deps,
  client: OidcClient,
  { origin, isAgain }: Readonly<{ origin: string; isAgain: boolean }>,
): Promise<StartedSignIn> {
  const { db, clock, settings } = deps
  const secret = newSecret()
  const { state, nonce, verifier } = valuesOf(secret)
  const { operatorOidcAcr: acr, operatorOidcScopes: scopes } = settings
  const url = await authorizationUrl(deps, client, {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUriOf(origin),
    scope: scopes.join(' '),
    state,
    nonce,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    ...(acr && { acr_values: acr.join(' ') }),
    ...(isAgain && { max_age: '0' }),
  })
  const startedAt = clock.now()
  await db.transaction(async (tx) => {
    await pruneOidcSignIns(tx, startedAfter(startedAt))
    await insertOidcSignIn(tx, { digest: digestSecret(secret), isAgain, startedAt })
  })
  return { secret, url }
}
