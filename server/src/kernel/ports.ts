/** The ports through which the service uses the outside, and the choice of a provider for each (chapter 44). */
import type { Id } from './ids.ts'
import type { Environment, Platform } from './platform.ts'

export const PORTS = [
  'rails',
  'deposits',
  'identity',
  'screening',
  'cards',
  'stablecoins',
  'prices',
  'messages',
] as const
export type Port = (typeof PORTS)[number]

/** The kinds that an operator can register. */
export const PROVIDER_KINDS = ['sandbox', 'manual', 'http'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number] | 'smtp' | 'sms-gateway'

export const PROVIDER_STATUSES = ['ENABLED', 'PAUSED'] as const
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number]

/** A registration as every layer sees it: without secrets. */
export type Provider = Readonly<{
  /** Null for a built-in provider. */
  id: Id<'provider'> | null
  name: string
  kind: ProviderKind
  environment: Environment
  ports: readonly Port[]
  /** Null for kinds other than `http`. */
  url: string | null
  /** Certificate authorities in PEM, in place of the public ones. */
  ca: string | null
  /** Null for every platform of the environment. The other selectors likewise: null matches any order. */
  platformIds: readonly Id<'platform'>[] | null
  rails: readonly string[] | null
  currencies: readonly string[] | null
  accountTypes: readonly string[] | null
  status: ProviderStatus
  config: Readonly<Record<string, unknown>>
  resendWindowSeconds: number
  maxInFlight: number
  authorizationDeadlineMs: number
  /** In cents of a dollar: payments below it are not screened. */
  paymentThreshold: bigint
}>

/** A provider that an operator registered. */
export type RegisteredProvider = Provider &
  Readonly<{ id: Id<'provider'>; createdAt: Date; updatedAt: Date }>

/** The order for which a provider is sought: a money order names its rail, currency and external account type. */
export type PortQuery = Readonly<{
  port: Port
  rail?: string | undefined
  currency?: string | undefined
  accountType?: string | undefined
  /** Chosen before any other if it serves the port, because it already handles the matter (PROV-83). */
  preferred?: Id<'provider'> | undefined
  /** For the port `messages`. */
  channel?: 'email' | 'sms'
}>

/** The providers that serve one platform. */
export type Ports = Readonly<{
  /** Undefined where no provider serves the port (PROV-9). */
  providerOf(query: PortQuery): Provider | undefined
}>

type ProviderQuery = PortQuery & Readonly<{ platform: Pick<Platform, 'id' | 'environment'> }>

const SELECTORS = ['platformIds', 'rails', 'currencies', 'accountTypes'] as const
type Selector = (typeof SELECTORS)[number]

const valueOf = (query: ProviderQuery, selector: Selector): string | undefined =>
  ({
    platformIds: query.platform.id,
    rails: query.rail,
    currencies: query.currency,
    accountTypes: query.accountType,
  })[selector]

const isMatch = (provider: Provider, query: ProviderQuery): boolean =>
  provider.environment === query.platform.environment &&
  provider.ports.includes(query.port) &&
  SELECTORS.every((selector) => {
    const named: readonly string[] | null = provider[selector]
    const value = valueOf(query, selector)
    return named === null || (value !== undefined && named.includes(value))
  })

/** `1010`: platforms and currencies are named. Of two ranks the greater text is the greater rank. */
const rankOf = (provider: Provider): string =>
  SELECTORS.map((selector) => (provider[selector] === null ? '0' : '1')).join('')

/** The registered provider with the most specific match, platform first (PROV-5); undefined where none matches. */
export function chooseProvider<P extends Provider>(
  registered: readonly P[],
  query: ProviderQuery,
): P | undefined {
  const { port, preferred, platform } = query
  const preferredProvider =
    preferred !== undefined &&
    registered.find(
      ({ id, ports, environment }) =>
        id === preferred && ports.includes(port) && environment === platform.environment,
    )
  if (preferredProvider) return preferredProvider
  return registered
    .filter((provider) => isMatch(provider, query))
    .toSorted((a, b) => (rankOf(a) < rankOf(b) ? 1 : -1))[0]
}

/** The orders that two providers of equal rank would both match: shared ports and, per selector, shared values. */
export type Overlap = Readonly<{ ports: readonly Port[] } & { [S in Selector]?: readonly string[] }>

/** Undefined where no order matches both (PROV-6). */
export function overlapOf(one: Provider, other: Provider): Overlap | undefined {
  const ports = one.ports.filter((port) => other.ports.includes(port))
  if (one.environment !== other.environment || ports.length === 0) return undefined
  if (rankOf(one) !== rankOf(other)) return undefined
  const shared = SELECTORS.flatMap((selector): [Selector, readonly string[]][] => {
    const named: readonly string[] | null = one[selector]
    const others: readonly string[] = other[selector] ?? []
    return named === null ? [] : [[selector, named.filter((value) => others.includes(value))]]
  })
  if (shared.some(([, both]) => both.length === 0)) return undefined
  return { ports, ...Object.fromEntries(shared) }
}

/** Whether the provider gets orders over the network and reports on them. */
export const isRemote = (provider: Provider): provider is RegisteredProvider =>
  provider.kind === 'http'
