/** What the service asks of the outside, by port, and the providers that answer for each (chapter 44). */
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
  /** Null but for `http`. */
  url: string | null
  /** Certificate authorities in PEM, in place of the public ones. */
  ca: string | null
  /** Null: every platform of the environment. The selectors likewise: null matches any order. */
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

/** A provider with a row of its own. */
export type RegisteredProvider = Provider &
  Readonly<{ id: Id<'provider'>; createdAt: Date; updatedAt: Date }>

/** What is to be done: a money order names its rail, its currency and the type of the external account. */
export type PortQuery = Readonly<{
  port: Port
  rail?: string | undefined
  currency?: string | undefined
  accountType?: string | undefined
  /** Answers before any other, if the port is its own: it has to do with the matter already (PROV-83). */
  preferred?: Id<'provider'> | undefined
  /** Of `messages`: in which way. */
  channel?: 'email' | 'sms'
}>

/** The providers that serve one platform. */
export type Ports = Readonly<{
  /** Undefined where nobody answers for the port (PROV-9). */
  providerOf(query: PortQuery): Provider | undefined
}>

type Asking = PortQuery & Readonly<{ platform: Pick<Platform, 'id' | 'environment'> }>

const SELECTORS = ['platformIds', 'rails', 'currencies', 'accountTypes'] as const
type Selector = (typeof SELECTORS)[number]

const valueOf = (asking: Asking, selector: Selector): string | undefined =>
  ({
    platformIds: asking.platform.id,
    rails: asking.rail,
    currencies: asking.currency,
    accountTypes: asking.accountType,
  })[selector]

const isMatch = (provider: Provider, asking: Asking): boolean =>
  provider.environment === asking.platform.environment &&
  provider.ports.includes(asking.port) &&
  SELECTORS.every((selector) => {
    const named: readonly string[] | null = provider[selector]
    const value = valueOf(asking, selector)
    return named === null || (value !== undefined && named.includes(value))
  })

/** `1010`: platforms and currencies are named. Of two ranks the greater text is the greater rank. */
const rankOf = (provider: Provider): string =>
  SELECTORS.map((selector) => (provider[selector] === null ? '0' : '1')).join('')

/** The registered provider that names most of what is asked, platform first (PROV-5). Undefined: none matches. */
export function chooseProvider<P extends Provider>(
  registered: readonly P[],
  asking: Asking,
): P | undefined {
  const { port, preferred, platform } = asking
  const known =
    preferred !== undefined &&
    registered.find(
      ({ id, ports, environment }) =>
        id === preferred && ports.includes(port) && environment === platform.environment,
    )
  if (known) return known
  return registered
    .filter((provider) => isMatch(provider, asking))
    .toSorted((a, b) => (rankOf(a) < rankOf(b) ? 1 : -1))[0]
}

/** What two providers would both answer for, with equal rank: the ports and, of each selector, what both name. */
export type Overlap = Readonly<{ ports: readonly Port[] } & { [S in Selector]?: readonly string[] }>

/** Undefined where no order could have both (PROV-6). */
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

/** Whether it is reached over the network: it gets orders, and says in reports what became of them. */
export const isRemote = (provider: Provider): provider is RegisteredProvider =>
  provider.kind === 'http'
