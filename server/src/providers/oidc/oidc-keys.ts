/**
 * The published keys of OIDC issuers, fetched over the guarded connection (CORE-94) and cached. For an unknown key the
 * issuer is asked again, at most once a minute.
 */
import type { JSONWebKeySet } from 'jose'
import type { OidcKeyResolver } from '../../crypto/oidc/verify-oidc-signature.ts'
import { HOUR_MS, MINUTE_MS, type Clock } from '../../kernel/clock.ts'
import type { GuardedFetch } from '../../infra/outbound/ssrf.ts'
import { fetchDescription, fetchKeySet, type Way } from './issuer-documents.ts'

const KEPT_MS = HOUR_MS
const ASK_AGAIN_MS = MINUTE_MS

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
    const isOperatorsChoice = (url: string): boolean =>
      ownHost !== undefined && hostOf(url) === ownHost
    const keys = await fetchKeys({ outgoing, isOperatorsChoice }, issuer)
    kept.set(issuer, { keys, atMs: clock.now().getTime() })
    return keys
  }
}

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname

async function fetchKeys(way: Way, issuer: string): Promise<JSONWebKeySet> {
  return fetchKeySet(way, await fetchDescription(way, issuer))
}
