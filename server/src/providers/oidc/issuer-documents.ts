/** What an OIDC issuer publishes about itself: its description and its keys. */
import type { JSONWebKeySet } from 'jose'
import { parseJsonObject, type JsonObject } from '../../crypto/encoding/json-object.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { ApiError, retryAfter } from '../../kernel/errors.ts'
import type { GuardedFetch, HttpAnswer, OutgoingRequest } from '../../infra/outbound/ssrf.ts'

const TIME_LIMIT_MS = 5 * SECOND_MS
const ANSWER_BYTES_MAX = 256 * 1024
const RETRY_AFTER_SECONDS = 10

/** Which addresses the operator chose, so that they may be private (CORE-94). Redirects are not followed. */
export type Way = Readonly<{ outgoing: GuardedFetch; isOperatorsChoice(url: string): boolean }>

/** A part of the description that this service reads. */
export type IssuerDescription = JsonObject & Readonly<{ jwks_uri: string }>

/** Throws SERVICE_UNAVAILABLE, as all of these do where the issuer cannot be reached or publishes nothing of use. */
export async function fetchDescription(way: Way, issuer: string): Promise<IssuerDescription> {
  const base = issuer.replace(/\/$/, '')
  const description = await fetchJson(way, `${base}/.well-known/openid-configuration`)
  const { jwks_uri: uri, issuer: named } = description
  // The document must name the issuer that was asked (OpenID Connect Discovery, 4.3).
  if (typeof uri !== 'string' || named !== issuer)
    return unreachable('its description is another’s')
  return { ...description, jwks_uri: uri }
}

export async function fetchKeySet(
  way: Way,
  { jwks_uri: uri }: IssuerDescription,
): Promise<JSONWebKeySet> {
  const published = await fetchJson(way, uri)
  if (!Array.isArray(published['keys'])) return unreachable('its keys are no key set')
  return published as unknown as JSONWebKeySet
}

async function fetchJson(way: Way, url: string): Promise<JsonObject> {
  const answer = await callIssuer(way, { method: 'GET', url })
  if (answer.status !== 200) return unreachable(`status ${answer.status}`)
  return parseJsonObject(answer.body) ?? unreachable('its answer is no JSON object')
}

type IssuerCall = Pick<OutgoingRequest, 'method' | 'url' | 'headers' | 'body'>

/** One call within the limits of time and size. */
export async function callIssuer(
  { outgoing, isOperatorsChoice }: Way,
  { headers = {}, ...call }: IssuerCall,
): Promise<HttpAnswer> {
  const answer = await outgoing.fetch({
    ...call,
    headers: { accept: 'application/json', ...headers },
    timeoutMs: TIME_LIMIT_MS,
    bodyBytesMax: ANSWER_BYTES_MAX,
    isOperatorsChoice: isOperatorsChoice(call.url),
  })
  if (!answer.ok) return unreachable(answer.message)
  return answer.truncated ? unreachable('its answer is too long') : answer
}

export function unreachable(problem: string): never {
  throw new ApiError('SERVICE_UNAVAILABLE', {
    headers: retryAfter(RETRY_AFTER_SECONDS),
    because: `OIDC issuer: ${problem}`,
  })
}
