/** The operators' issuer: what it publishes, kept for 600 s, and the exchange of a code (OPER-31). */
import type { JSONWebKeySet } from 'jose'
import { parseJsonObject } from '../../../crypto/encoding/json-object.ts'
import { SECOND_MS, type Clock } from '../../../kernel/clock.ts'
import { DEFAULT_ENVIRONMENT } from '../../../kernel/platform.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { GuardedFetch } from '../../../infra/outbound/ssrf.ts'
import type { Settings } from '../../../infra/settings/settings.ts'
import {
  callIssuer,
  fetchDescription,
  fetchKeySet,
  unreachable,
  type IssuerDescription,
} from '../../../providers/oidc/issuer-documents.ts'

const KEPT_MS = 600 * SECOND_MS

/** What the settings say about the issuer, where one is given. */
export type OidcClient = Readonly<{
  issuer: string
  clientId: string
  clientSecret: string | undefined
}>

export function oidcClientOf(settings: Settings): OidcClient | undefined {
  const { operatorOidcIssuer: issuer, operatorOidcClientId: clientId } = settings
  if (issuer === undefined || clientId === undefined) return undefined
  return { issuer, clientId, clientSecret: settings.operatorOidcClientSecret }
}

type Published = Readonly<{
  authorizationEndpoint: string
  tokenEndpoint: string
  description: IssuerDescription
  keys: JSONWebKeySet
  atMs: number
}>

const keptBy = new WeakMap<GuardedFetch, Map<string, Published>>()

type Outside = Pick<Deps, 'outgoing' | 'clock'>

/** The operator chose the issuer, and so all that it names: each may be on a private address. */
const wayOut = ({ outgoing }: Outside) => ({
  outgoing: outgoing[DEFAULT_ENVIRONMENT],
  isOperatorsChoice: () => true,
})

const isFresh = ({ atMs }: Published, clock: Clock): boolean =>
  clock.now().getTime() - atMs < KEPT_MS

/** Behind an https issuer over https only. */
function endpointIn(description: IssuerDescription, name: string): string {
  const [url, issuer] = [description[name], description['issuer']].map((one) =>
    URL.parse(String(one)),
  )
  const isSafe = url?.protocol === 'https:' || (url && url.protocol === issuer?.protocol)
  return isSafe ? url.href : unreachable(`its ${name} is no https address`)
}

async function fetchPublished(outside: Outside, issuer: string): Promise<Published> {
  const way = wayOut(outside)
  const description = await fetchDescription(way, issuer)
  const published = {
    authorizationEndpoint: endpointIn(description, 'authorization_endpoint'),
    tokenEndpoint: endpointIn(description, 'token_endpoint'),
    description,
    keys: await fetchKeySet(way, description),
    atMs: outside.clock.now().getTime(),
  }
  const kept = keptBy.get(way.outgoing) ?? new Map<string, Published>()
  keptBy.set(way.outgoing, kept.set(issuer, published))
  return published
}

async function publishedBy(outside: Outside, issuer: string): Promise<Published> {
  const kept = keptBy.get(wayOut(outside).outgoing)?.get(issuer)
  return kept && isFresh(kept, outside.clock) ? kept : fetchPublished(outside, issuer)
}

/** An id that is not among the kept keys has them fetched once more: the issuer may have new ones. */
export async function keysOf(
  outside: Outside,
  issuer: string,
  keyId: string | undefined,
): Promise<JSONWebKeySet> {
  const { keys } = await publishedBy(outside, issuer)
  const isThere = keys.keys.some(({ kid }) => keyId === undefined || kid === keyId)
  return isThere ? keys : (await fetchPublished(outside, issuer)).keys
}

/** Where the browser is sent; the endpoint may have parameters of its own. */
export async function authorizationUrl(
  outside: Outside,
  { issuer }: OidcClient,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const url = new URL((await publishedBy(outside, issuer)).authorizationEndpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

type CodeExchange = Readonly<{ code: string; verifier: string; redirectUri: string }>

/** The ID token for a code, as the issuer answers it; undefined where it refuses. Throws SERVICE_UNAVAILABLE. */
export async function exchangeCode(
  outside: Outside,
  client: OidcClient,
  { code, verifier, redirectUri }: CodeExchange,
): Promise<string | undefined> {
  const { tokenEndpoint: url, description } = await publishedBy(outside, client.issuer)
  const { headers, fields } = authenticationOf(client, description)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...fields,
  })
  const answer = await callIssuer(wayOut(outside), {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: body.toString(),
  })
  const idToken = answer.status === 200 ? parseJsonObject(answer.body)?.['id_token'] : undefined
  return typeof idToken === 'string' ? idToken : undefined
}

/** By HTTP Basic unless the issuer takes the secret in the form alone (RFC 6749, 2.3.1). */
function authenticationOf(
  { clientId, clientSecret }: OidcClient,
  { token_endpoint_auth_methods_supported: methods }: IssuerDescription,
): Readonly<{ headers: Record<string, string>; fields: Record<string, string> }> {
  if (clientSecret === undefined) return { headers: {}, fields: { client_id: clientId } }
  const takesOnlyPost =
    Array.isArray(methods) &&
    methods.includes('client_secret_post') &&
    !methods.includes('client_secret_basic')
  if (takesOnlyPost)
    return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } }
  const [id, secret] = [clientId, clientSecret].map(formEncoded)
  const credentials = Buffer.from(`${id}:${secret}`).toString('base64')
  return { headers: { authorization: `Basic ${credentials}` }, fields: {} }
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)
