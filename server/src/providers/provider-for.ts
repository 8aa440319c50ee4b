import { ENVIRONMENTS, type Environment, type Platform } from '../kernel/platform.ts'

type Port = 'rails' | 'deposits' | 'identity' | 'screening' | 'cards' | 'stablecoins' | 'prices'
type ProviderKind = 'sandbox' | 'manual'

/** Without an entry nobody answers for the port. */
const IN_PRODUCTION: Readonly<Partial<Record<Port, ProviderKind>>> = {
  rails: 'manual',
  deposits: 'manual',
  identity: 'manual',
  screening: 'manual',
  prices: 'manual',
}

/** The kind of provider that answers for a port of the platform; undefined where none does. */
export const providerKindFor = (
  { environment }: Pick<Platform, 'environment'>,
  port: Port,
): ProviderKind | undefined => (environment === 'SANDBOX' ? 'sandbox' : IN_PRODUCTION[port])

/** The environments whose port is served by a provider of the kind, for statements over all platforms. */
export const environmentsServedBy = (kind: ProviderKind, port: Port): readonly Environment[] =>
  ENVIRONMENTS.filter((environment) => providerKindFor({ environment }, port) === kind)
