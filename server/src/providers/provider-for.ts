import { ENVIRONMENTS, type Environment, type Platform } from '../kernel/platform.ts'
import type { Port, ProviderKind } from '../kernel/ports.ts'
import { builtInProviders, findBuiltIn } from '../infra/providers/built-in.ts'

/** Messages are not asked for here: who sends them depends on the settings. */
type BuiltInPort = Exclude<Port, 'messages'>

const BUILT_IN = builtInProviders({ smtpUrl: undefined, smsGatewayUrl: undefined })

/** The kind of the built-in provider that answers for a port of the platform; undefined where none does. */
export const providerKindFor = (
  { environment }: Pick<Platform, 'environment'>,
  port: BuiltInPort,
): ProviderKind | undefined => findBuiltIn(BUILT_IN, environment, { port })?.kind

/** The environments where a built-in provider of the kind answers for the port, for statements over all platforms. */
export const environmentsServedBy = (
  kind: ProviderKind,
  port: BuiltInPort,
): readonly Environment[] =>
  ENVIRONMENTS.filter((environment) => providerKindFor({ environment }, port) === kind)
