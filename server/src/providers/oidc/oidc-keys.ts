/**
 * The published keys of OIDC issuers, fetched over the guarded connection (CORE-94) and cached. For an unknown key the
 * issuer is asked again, at most once a minute.
 */
import type { JSONWebKeySet } from 'jose'
import type { OidcKeyResolver } from '../../crypto/oidc/verify-oidc-signature.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from '../../kernel/clock.ts'
import { ApiError, retryAfter } from '../../kernel/errors.ts'
import type { GuardedFetch } from '../../infra/outbound/ssrf.ts'

const KEPT_MS = HOUR_MS
const ASK_AGAIN_MS = MINUTE_MS
const TIME_LIMIT_MS = 5 * SECOND_MS
const ANSWER_BYTES_MAX = 256 * 1024
const RETRY_AFTER_SECONDS = 10

type Kept = Readonly<{ keys: JSONWebKeySet; atMs: number }>

const keptBy = new WeakMap<GuardedFetch, Map<string, Kept>>()

/**
 * `ownIssuers` are configured by the operator and may have a private address.
 * Throws SERVICE_UNAVAILABLE where the issuer cannot be reached or publishes nothing of use.
 */
export function oidcKeys(
  outgoing: GuardedFetch,
  { clock, ownIssuers }: Readonly<{ clock: Clock; ownIssuers: readonly string[] }>,
): OidcKeyResolver {
  const kept = keptBy.get(outgoing) ?? new Map<string, Kept>()
  keptBy.set(outgoing, kept)
  return async ({ issuer, keyId }) => {
    const known = kept.get(issuer)
    const ageMs = known ? clock.now().getTime() - known.atMs : Infinity
    const isThere = known?.keys.keys.some(({ kid }) => keyId === undefined || kid === keyId)
    if (known && ageMs < (isThere ? KEPT_MS : ASK_AGAIN_MS)) return known.keys
    const ownHost = ownIssuers.includes(issuer) ? hostOf(issuer) : undefined
    const keys = await fetchKeys({ outgoing, ownHost }, issuer)
    kept.set(issuer, { keys, atMs: clock.now().getTime() })
    return keys
  }
}

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname

/** Only addresses on the host of an own issuer are trusted; redirects are not followed (CORE-94). */
type Way = Readonly<{ outgoing: GuardedFetch; ownHost: string | undefined }>

async function fetchKeys(way: Way, issuer: string): Promise<JSONWebKeySet> {
  const base = issuer.replace(/\/$/, '')
  const description = await fetchJson(way, `${base}/.well-known/openid-configuration`)
  const { jwks_uri: uri, issuer: named } = description
  // The document must name the issuer that was asked (OpenID Connect Discovery, 4.3).
  if (typeof uri !== 'string' || named !== issuer)
    return unreachable('its description is another’s')
  const published = await fetchJson(way, uri)
  if (!Array.isArray(published['keys'])) return unreachable('its keys are no key set')
  return published as unknown as JSONWebKeySet
}

async function fetchJson(
  { outgoing, ownHost }: Way,
  url: string,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await outgoing.fetch({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    timeoutMs: TIME_LIMIT_MS,
    bodyBytesMax: ANSWER_BYTES_MAX,
    isOperatorsChoice: ownHost !== undefined && hostOf(url) === ownHost,
  })
  if (!answer.ok) return unreachable(answer.message)
  if (answer.status !== 200 || answer.truncated) return unreachable(`status ${answer.status}`)
  try {
    const content: unknown = JSON.parse(answer.body.toString('utf8'))
    if (typeof content === 'object' && content !== null) return content as Record<string, unknown>
  } catch {
    // An answer that is no JSON counts as none.
  }
  return unreachable('its answer is no JSON object')
}

function unreachable(problem: string): never {
  throw new ApiError('SERVICE_UNAVAILABLE', {
    headers: retryAfter(RETRY_AFTER_SECONDS),
    because: `issuer keys: ${problem}`,
  })
}
