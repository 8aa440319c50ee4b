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
  /** Logs somebody in as a browser does that an app sent there; where it is sent back to. */
  logIn(start: string, sub: string): Promise<URL>
  /** From now on signs with another key, and publishes that alone. */
  rotateKey(): Promise<void>
}>

type Handler = (request: IncomingMessage, response: ServerResponse) => void

type ProviderOptions = Readonly<{
  /** The clients; each may be the audience of a token. */
  apps?: readonly string[]
  /** On loopback, where the port does not matter. */
  redirectUri?: string
  /** Without one the clients are public. */
  clientSecret?: string
  claimsOf?: (sub: string) => Readonly<Record<string, unknown>>
}>

type Client = Required<Omit<ProviderOptions, 'clientSecret'>> &
  Pick<ProviderOptions, 'clientSecret'>

const emailOnly = (sub: string) => ({ email: `${sub}@example.com` })

export async function startOidcProvider(options: ProviderOptions = {}): Promise<OidcProvider> {
  const client = { apps: ['app'], redirectUri: REDIRECT, claimsOf: emailOnly, ...options }
  let handle: Handler = (_request, response) => void response.writeHead(503).end()
  const { url: issuer } = await serveHttp((request, response) => handle(request, response))
  const rotateKey = async (): Promise<void> => {
    handle = handlerOf(await makeProvider(issuer, client))
  }
  await rotateKey()
  return {
    issuer,
    idToken: (request) => logInAt(issuer, request),
    logIn: (start, sub) => followLogin(new URL(start), { sub, redirectUri: client.redirectUri }),
    rotateKey,
  }
}

function handlerOf(provider: Provider): Handler {
  const serve = provider.callback()
  return (request, response) => {
    const accountId = /^\/login\/[^?]+\?as=(\w+)$/.exec(request.url ?? '')?.[1]
    if (accountId === undefined) return void serve(request, response)
    // To be asked for consent is what an app that is no web page cannot be spared.
    void provider.interactionFinished(request, response, { login: { accountId }, consent: {} })
  }
}

async function makeProvider(
  issuer: string,
  { apps, redirectUri, clientSecret, claimsOf }: Client,
): Promise<Provider> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString('hex'), use: 'sig' }
  const provider: Provider = new Provider(issuer, {
    clients: apps.map((id) => ({
      client_id: id,
      application_type: 'native',
      ...(clientSecret === undefined
        ? { token_endpoint_auth_method: 'none' }
        : { client_secret: clientSecret }),
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    })),
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub', 'groups'], profile: ['name'], email: ['email', 'email_verified'] },
    // The claims are in the ID token itself, as with the issuers that wallets know.
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...claimsOf(id) }),
    }),
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 3600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    // A login counts as consent.
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc
      if (!client || session?.accountId === undefined) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  return provider
}

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
  const start = new URL(`${issuer}/auth?${asked}`)
  const back = await followLogin(start, { sub, redirectUri: REDIRECT })
  const code = back.searchParams.get('code')
  assert.ok(code, back.href)
  return redeem(issuer, { clientId, code, verifier })
}

/** A user agent that keeps cookies and follows every step by hand. */
async function followLogin(
  start: URL,
  { sub, redirectUri }: { sub: string; redirectUri: string },
): Promise<URL> {
  const cookies = new Map<string, string>()
  const { pathname: end } = new URL(redirectUri)
  let at = start
  for (let step = 0; at.pathname !== end; step += 1) {
    assert.ok(step < STEPS_MAX, `a login ends somewhere, not at ${at.href}`)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    assert.ok(location, `${answer.status}: ${await answer.text()}`)
    at = new URL(location, start)
    if (at.pathname.startsWith('/login/')) at.searchParams.set('as', sub)
  }
  return at
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
