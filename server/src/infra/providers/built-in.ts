import type { Environment } from '../../kernel/platform.ts'
import { PORTS, type Port, type PortQuery, type Provider } from '../../kernel/ports.ts'
import type { Settings } from '../settings/settings.ts'

type MessageSettings = Pick<Settings, 'smtpUrl' | 'smsGatewayUrl'>

const builtIn = (
  kind: Provider['kind'],
  environment: Environment,
  ports: readonly Port[],
): Provider => ({
  id: null,
  name: kind,
  kind,
  environment,
  ports,
  url: null,
  ca: null,
  platformIds: null,
  rails: null,
  currencies: null,
  accountTypes: null,
  status: 'ENABLED',
  config: {},
  resendWindowSeconds: 86_400,
  maxInFlight: 8,
  authorizationDeadlineMs: 2_000,
  paymentThreshold: 0n,
})

/** The ports that an operator can answer for by commands. */
export const MANUAL_PORTS: readonly Port[] = [
  'rails',
  'deposits',
  'identity',
  'screening',
  'prices',
]

const sandbox = builtIn('sandbox', 'SANDBOX', PORTS)
const manual = builtIn('manual', 'PRODUCTION', MANUAL_PORTS)
const smtp = builtIn('smtp', 'PRODUCTION', ['messages'])
const smsGateway = builtIn('sms-gateway', 'PRODUCTION', ['messages'])

/** What answers where nothing is registered, by environment and settings (PROV-7). */
export function builtInProviders({ smtpUrl, smsGatewayUrl }: MessageSettings): readonly Provider[] {
  return [
    sandbox,
    manual,
    ...(smtpUrl === undefined ? [] : [smtp]),
    ...(smsGatewayUrl === undefined ? [] : [smsGateway]),
  ]
}

const CHANNEL_KIND = { email: 'smtp', sms: 'sms-gateway' } as const

/** The built-in provider of a port. Undefined: the port has none. */
export function findBuiltIn(
  providers: readonly Provider[],
  environment: Environment,
  { port, channel }: PortQuery,
): Provider | undefined {
  return providers.find(
    (one) =>
      one.environment === environment &&
      one.ports.includes(port) &&
      (channel === undefined || one.kind === 'sandbox' || one.kind === CHANNEL_KIND[channel]),
  )
}
