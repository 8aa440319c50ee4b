import { createCaller, type CallerSettings, type Exchange } from './create-caller.ts'
import { API_VERSION } from './generated/error-codes.ts'
import { platformResources, type PlatformResources } from './generated/platform-resources.ts'
import { agentResource, type AgentResource } from './generated/resources/agent.ts'
import { agentsResource } from './generated/resources/agents.ts'

/** What both clients take. */
export interface ConnectionOptions {
  /** Address of the service, such as `https://pay.example.com`; the version of the interface is added. */
  baseUrl: string
  /** Instead of the runtime's own. */
  fetch?: typeof globalThis.fetch | undefined
  /** How long one attempt may take; 30 seconds unless said otherwise. */
  timeoutMs?: number | undefined
  /** How often a request is sent again, at most; 3 unless said otherwise. */
  retries?: number | undefined
  /** The brand in the service's names (its `WIRE_BRAND`), where the operator has chosen another than `Service`. */
  wireBrand?: string | undefined
  /** @deprecated Another name of `wireBrand`. */
  headerBrand?: string | undefined
  /** Told of every attempt, for logs. */
  onExchange?: ((exchange: Exchange) => void) | undefined
}

export interface FlorinOptions extends ConnectionOptions {
  clientId: string
  clientSecret: string
}

/** The client of a platform. It holds the secret: on a server only, never in an app or a page. */
export type Florin = PlatformResources

/** The client of an agent: what its policy lets it do, and nothing else. */
export interface FlorinAgent extends AgentResource {
  /** Keep it as you would a password; there is no second one for the same device code. */
  readonly accessToken: string
}

const TIMEOUT_MS = 30_000
const RETRIES = 3

export function createFlorin({ clientId, clientSecret, ...options }: FlorinOptions): Florin {
  mustBeGiven({ clientId, clientSecret })
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  return platformResources(createCaller(settingsOf(options, authorization)))
}

export function createAgent({
  accessToken,
  ...options
}: ConnectionOptions & { accessToken: string }): FlorinAgent {
  mustBeGiven({ accessToken })
  const caller = createCaller(settingsOf(options, `Bearer ${accessToken}`))
  // Not enumerable, so that logging the client does not log its token.
  return Object.defineProperty({ ...agentResource(caller), accessToken }, 'accessToken', {
    enumerable: false,
  })
}

/** Redeems a device code, once, and answers the client of the agent that it belongs to. */
export async function connectAgent({
  deviceCode,
  ...options
}: ConnectionOptions & { deviceCode: string }): Promise<FlorinAgent> {
  const { deviceCodes } = agentsResource(createCaller(settingsOf(options, undefined)))
  const { accessToken } = await deviceCodes.redeem(deviceCode)
  return createAgent({ ...options, accessToken })
}

/** What comes from the environment is easily missing, and would only be noticed as a wrong password. */
function mustBeGiven(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!value) throw new TypeError(`${name} is missing`)
  }
}

const VERSION_AT_END = /\/\d{4}-\d{2}-\d{2}$/

function settingsOf(options: ConnectionOptions, authorization: string | undefined): CallerSettings {
  // Also refuses `localhost:8080`, which has the form of an address with an unheard-of scheme.
  if (!/^https?:\/\//.test(options.baseUrl) || !URL.canParse(options.baseUrl)) {
    throw new TypeError(`baseUrl is no address: ${options.baseUrl}`)
  }
  const origin = options.baseUrl.replace(/\/+$/, '').replace(VERSION_AT_END, '')
  return {
    baseUrl: `${origin}/${API_VERSION}`,
    authorization,
    // Looked up at each call, since some runtimes insist on the receiver and some tests replace it.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retries: options.retries ?? RETRIES,
    wireBrand: options.wireBrand ?? options.headerBrand ?? 'Service',
    onExchange: options.onExchange,
  }
}
