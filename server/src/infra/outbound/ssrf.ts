/**
 * Outgoing HTTP to addresses that others choose: webhooks, issuer keys, counterparties (CORE-94).
 *
 * The name is resolved for every call, every address is checked, and the connection is opened to a checked address
 * itself, so that the name cannot lead elsewhere by then. Redirects are not followed. Connections are kept per address
 * and reused, but only for calls that may arrive twice: if a kept connection has died unnoticed, the call is sent again.
 */
import { byEnvironment, type Environment } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { addressProblem } from './address-problem.ts'
import { createConnections } from './connections.ts'
import type { Connection, Connections } from './connections.ts'
import { endDeadline, exchange, failure, startDeadline, timeoutFailure } from './http-exchange.ts'
import type {
  Deadline,
  Exchange,
  ExchangeOutcome,
  HttpAnswer,
  HttpFailure,
  OutgoingRequest,
} from './http-exchange.ts'
import { createHostResolver } from './resolve-host.ts'
import type { ResolveHost } from './resolve-host.ts'
import type { Settings } from '../settings/settings.ts'

export type { HttpAnswer, HttpFailure, OutgoingRequest } from './http-exchange.ts'

export type GuardedFetch = Readonly<{
  fetch(request: OutgoingRequest): Promise<HttpAnswer | HttpFailure>
  /** Ends all connections; calls under way fail. */
  close(): void
}>

type Guard = Readonly<{
  allowLoopback: boolean
  ownPorts: readonly number[]
  resolveHost: ResolveHost
  connections: Connections
  /** One for each running call; all of them end when the guard closes. */
  deadlines: Set<Deadline>
  isClosed: () => boolean
}>

type Call = Omit<Exchange, 'connection'>

/** One guard per environment: sandbox platforms may call loopback addresses if the operator allows it, production never. */
export function createOutgoing({
  sandboxLoopback,
  port,
  adminPort,
}: Pick<Settings, 'sandboxLoopback' | 'port' | 'adminPort'>): Record<Environment, GuardedFetch> {
  return byEnvironment((environment) => {
    if (!traitsOf({ environment }).allowsLoopback)
      return createGuardedFetch({ allowLoopback: false })
    return createGuardedFetch({
      allowLoopback: sandboxLoopback === 'true',
      ownPorts: [port, adminPort],
    })
  })
}

type GuardOptions = Readonly<{
  allowLoopback: boolean
  /** Ports of this service, so that no webhook reaches its admin listener. */
  ownPorts?: readonly number[]
  resolveHost?: ResolveHost
}>

/** Each guard has its own connections. */
export function createGuardedFetch({
  allowLoopback,
  ownPorts = [],
  resolveHost = createHostResolver(),
}: GuardOptions): GuardedFetch {
  const connections = createConnections()
  const deadlines = new Set<Deadline>()
  let closed = false
  const isClosed = () => closed
  const guard = { allowLoopback, ownPorts, resolveHost, connections, deadlines, isClosed }
  return {
    fetch: (request) => guardedFetch(guard, request),
    close() {
      closed = true
      for (const deadline of deadlines) endDeadline(deadline)
      connections.close()
    },
  }
}

const stopping = failure('connect', 'The service is stopping.')

async function guardedFetch(
  guard: Guard,
  request: OutgoingRequest,
): Promise<HttpAnswer | HttpFailure> {
  const url = URL.parse(request.url)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return failure('refused-target', 'The address is not an http or https URL.')
  }
  if (url.username !== '' || url.password !== '') {
    return failure('refused-target', 'The address holds credentials.')
  }
  if (guard.isClosed()) return stopping
  const deadline = startDeadline()
  guard.deadlines.add(deadline)
  const timer = setTimeout(endDeadline, request.timeoutMs, deadline)
  try {
    const call = { request, url, deadline }
    const found = await findAddresses(guard, call)
    const outcome = found.ok ? await callFirstReachable(guard, call, found.addresses) : found
    return !outcome.ok && guard.isClosed() ? stopping : outcome
  } finally {
    clearTimeout(timer)
    guard.deadlines.delete(deadline)
  }
}

async function findAddresses(
  guard: Guard,
  { request, url, deadline }: Call,
): Promise<{ ok: true; addresses: readonly string[] } | HttpFailure> {
  let addresses: readonly string[]
  try {
    addresses = await new Promise((resolve, reject) => {
      deadline.onOver = () => reject(new Error('The time is up.'))
      guard.resolveHost(url.hostname).then(resolve, reject)
    })
  } catch {
    if (deadline.isOver) return timeoutFailure(request)
    return failure('connect', 'The host name could not be resolved.')
  }
  if (request.isAnyAddressAllowed) return { ok: true, addresses }
  const { isOperatorsChoice: allowPrivate = false } = request
  const allowed = { allowLoopback: guard.allowLoopback || allowPrivate, allowPrivate }
  // One forbidden address forbids the name, because no honest name mixes public and private ones.
  for (const address of addresses) {
    const problem = addressProblem(address, allowed)
    if (problem !== undefined) {
      return failure('refused-target', `The host name or address is not public (${problem}).`)
    }
    if (guard.ownPorts.includes(portOf(url)) && isLoopback(address)) {
      return failure('refused-target', 'The address is this service itself.')
    }
  }
  return { ok: true, addresses }
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

const isLoopback = (address: string): boolean =>
  addressProblem(address, { allowLoopback: false }) === 'loopback'

/** Tries the next address only where no connection could be made. */
async function callFirstReachable(
  { connections }: Guard,
  call: Call,
  addresses: readonly string[],
): Promise<HttpAnswer | HttpFailure> {
  let last: HttpAnswer | HttpFailure = failure('connect', 'The host name has no address.')
  for (const address of addresses) {
    const outcome = await callAddress(connections, call, address)
    if (outcome.ok) return outcome
    last = failure(outcome.kind, outcome.message)
    if (outcome.reached !== 'nothing' || call.deadline.isOver) break
  }
  return last
}

async function callAddress(
  connections: Connections,
  call: Call,
  address: string,
): Promise<ExchangeOutcome> {
  const { method, isRepeatable = method === 'GET' || method === 'HEAD', ca } = call.request
  const target = { url: call.url, address, ca }
  const send = (connection: Connection) => exchange({ ...call, connection })
  if (!isRepeatable) return connections.callOnce(target, send)
  const outcome = await connections.callOnKept(target, send)
  const hadDied = !outcome.ok && outcome.kind === 'connect' && outcome.reached === 'kept connection'
  return hadDied && !call.deadline.isOver ? connections.callOnce(target, send) : outcome
}
