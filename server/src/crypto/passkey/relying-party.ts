/** Which pages may use a passkey, and under which relying-party id (CRED-14, SCA-7). */
import { isIP } from 'node:net'
import type { Environment } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'

export type OriginPolicy = Readonly<{
  accepts(origin: string): boolean
  /** The ids that a credential made on a page of this accepted origin may belong to, the host first. */
  rpIdsOf(origin: string): readonly string[]
}>

/**
 * For a wallet passkey that is being registered. Configured origins bind; otherwise any https origin (or http on
 * localhost) is trusted on first use, and the relying-party id found then binds every later assertion.
 */
export function registrationPolicy(configured: readonly string[]): OriginPolicy {
  if (configured.length === 0) {
    return {
      accepts: (origin) => webHost(origin) !== undefined,
      rpIdsOf: (origin) => rpIdsOfHost(webHost(origin)),
    }
  }
  const rpIds = [...new Set(configured.flatMap((origin) => rpIdsOfHost(hostOf(origin))))]
  return { accepts: (origin) => configured.includes(origin), rpIdsOf: () => rpIds }
}

/** For a wallet passkey in use: the configured origins, or a page of the relying party it was registered for. */
export function assertionAccepts(
  configured: readonly string[],
  rpId: string,
): (origin: string) => boolean {
  if (configured.length > 0) return (origin) => configured.includes(origin)
  return (origin) => rpIdsOfHost(webHost(origin)).includes(rpId)
}

export type ScaRelyingParty = Readonly<{
  relyingPartyId: string
  allowedOrigins: readonly string[]
  policy: OriginPolicy
}>

/** Undefined when a production platform has no origins configured: passkeys cannot be enrolled (SCA-7). */
export function scaRelyingParty(
  configured: readonly string[],
  environment: Environment,
): ScaRelyingParty | undefined {
  const { allowsLoopback } = traitsOf({ environment })
  if (configured.length === 0) return allowsLoopback ? LOCALHOST : undefined
  const relyingPartyId = configured.map(hostOf).find((host) => host !== undefined)
  if (relyingPartyId === undefined) return undefined
  const policy = {
    accepts: (origin: string) => configured.includes(origin),
    rpIdsOf: () => [relyingPartyId],
  }
  return { relyingPartyId, allowedOrigins: configured, policy }
}

const LOCALHOST: ScaRelyingParty = {
  relyingPartyId: 'localhost',
  allowedOrigins: ['http://localhost'],
  policy: {
    accepts: (origin) => origin.startsWith('http:') && webHost(origin) === 'localhost',
    rpIdsOf: () => ['localhost'],
  },
}

/** The host of a page that may use passkeys at all: https, or http on localhost, spelled as browsers spell it. */
function webHost(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined
  const url = new URL(origin)
  if (url.origin !== origin) return undefined
  const isSecure = url.protocol === 'https:'
  return isSecure || (url.protocol === 'http:' && url.hostname === 'localhost')
    ? url.hostname
    : undefined
}

/** Undefined for an app's origin, `android:apk-key-hash:…`. */
function hostOf(origin: string): string | undefined {
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  return host === '' ? undefined : host
}

/** The host and its parent domains of at least two labels. */
function rpIdsOfHost(host: string | undefined): readonly string[] {
  if (host === undefined) return []
  const isAddress = host.startsWith('[') || isIP(host) !== 0
  const labels = isAddress ? [host] : host.split('.')
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  return [host, ...parents]
}
