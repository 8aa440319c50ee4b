/** A real OpenID provider on loopback: its own keys, and the authorization code flow with PKCE as an app does it. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { serveHttp } from './loopback-server.ts'

const REDIRECT = 'http://127.0.0.1/callback'
const SCOPE = 'openid email'
const STEPS_MAX = 10

export type IdTokenRequest = Readonly<{ sub: string; clientId?: string; nonce?: string }>

export type OidcProvider = Readonly<{
  issuer: string
  /** Logs somebody in and answers the ID token that the app gets. */
  idToken(request: IdTokenRequest): Promise<string>
}>

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Apps: the clients; each may be the audience of a token. */
export async function startOidcProvider(apps: readonly string[] = ['app']): Promise<OidcProvider> {
  let handle: Handler = (_request, response) => void response.writeHead(503).end()
  const { url: issuer } = await serveHttp((request, response) => handle(request, response))
  const provider = await makeProvider(issuer, apps)
  const serve = provider.callback()
  handle = (request, response) => {
    const accountId = /^\/login\/[^?]+\?as=(\w+)$/.exec(request.url ?? '')?.[1]
    if (accountId === undefined) return void serve(request, response)
    // To be asked for consent is what an app that is no web page cannot be spared.
    void provider.interactionFinished(request, response, { login: { accountId }, consent: {} })
  }
  return { issuer, idToken: (request) => logInAt(issuer, request) }
}

async function makeProvider(issuer: string, apps: readonly string[]): Promise<Provider> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString('hex'), use: 'sig' }
  const provider: Provider = new Provider(issuer, {
    clients: apps.map((id) => ({
      client_id: id,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    })),
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email'] },
    // The address is in the ID token itself, as with the issuers that wallets know.
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com` }),
    }),
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 3600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    // A login counts as consent.
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc
      if (!client || session?.accountId === undefined) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(SCOPE)
      await grant.save()
      return grant
    },
  })
  return provider
}

/** A user agent that keeps cookies and follows every step by hand. */
async function logInAt(
  issuer: string,
  { sub, clientId = 'app', nonce }: IdTokenRequest,
): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: SCOPE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(nonce !== undefined && { nonce }),
  })
  const cookies = new Map<string, string>()
  let at = new URL(`${issuer}/auth?${asked}`)
  for (let step = 0; !at.href.startsWith(REDIRECT); step += 1) {
    assert.ok(step < STEPS_MAX, `a login ends somewhere, not at ${at.href}`)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    assert.ok(location, `${answer.status}: ${await answer.text()}`)
    at = new URL(location, issuer)
    if (at.pathname.startsWith('/login/')) at.searchParams.set('as', sub)
  }
  const code = at.searchParams.get('code')
  assert.ok(code, at.href)
  return redeem(issuer, { clientId, code, verifier })
}

async function redeem(
  issuer: string,
  { clientId, code, verifier }: { clientId: string; code: string; verifier: string },
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code,
    code_verifier: verifier,
  })
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body })
  const { id_token: idToken } = (await answer.json()) as { id_token?: string }
  assert.ok(idToken, `${answer.status}`)
  return idToken
}
