/**
 * The gate of everything that providers send: signature, limit, version, port, body, message id, in this order. A call
 * that is not signed by a live secret learns nothing more.
 */
import { createHash } from 'node:crypto'
import { fail, failFields, mustHaveNoErrors } from '../../../kernel/errors.ts'
import { failNotFound, parseId } from '../../../kernel/ids.ts'
import type { RegisteredProvider } from '../../../kernel/ports.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { AnonymousLimiter } from '../../../infra/http/edge/anonymous-limiter.ts'
import { createRateLimiter, type RateLimiter } from '../../../infra/http/edge/rate-limiter.ts'
import { parseJsonBody } from '../../../infra/http/input/json-body.ts'
import { findPlatform } from '../../../infra/platforms.ts'
import { claimMessage, keepAnswer } from '../../../infra/providers/message-rows.ts'
import type { RequestIds } from '../../../infra/work/request-ids.ts'
import type { Work, WorkFor } from '../../../infra/work/work.ts'
import { hasOrderAmong } from '../../../orders/index.ts'
import {
  PROTOCOL_VERSION,
  VERSION_HEADER,
  verifyMessage,
} from '../../../providers/http/sign-message.ts'
import { isGranted } from './paths.ts'
import { bodyProblems, type Inbound, type InboundRoute } from './routes.ts'

export type InboundCall = RequestIds &
  Readonly<{
    /** As the path has it. */
    providerId: string
    headers: Readonly<Record<string, string | readonly string[] | undefined>>
    rawBody: Buffer
    ip: string
  }>

/** Wrong signatures count as calls without credentials. */
type WrongCalls = Readonly<{ anonymous?: AnonymousLimiter; failedAuth?: RateLimiter }>

const CALLS = { ratePerSecond: 100, burst: 200 }

/** Answers the body of the 200. Fails as section 3 of chapter 44 lists. */
export type Receive = (route: InboundRoute, call: InboundCall) => Promise<unknown>

/** What the gate works with; app/ opens the transactions. */
type Host = Readonly<{
  deps: Deps
  inWork<T>(options: WorkFor, body: (work: Work) => Promise<T>): Promise<T>
}>

export function createReceiver(host: Host, wrongCalls: WrongCalls): Receive {
  const { deps } = host
  const limiter = createRateLimiter(deps.db, deps.clock, CALLS)
  return async (route, call) => {
    const { provider, messageId } = await identify(deps, wrongCalls, call)
    if (!route.isUnlimited) await limiter.take(`provider ${provider.id}`)
    mustSpeakVersion(call)
    const hasPort = isGranted(route.path, provider.ports)
    if (!hasPort && !route.orderIdsIn) failPort()
    const body = parseJsonBody(call.rawBody, textOf(call, 'content-type'))
    mustHaveNoErrors(bodyProblems(route, body))
    if (!hasPort && !(await hasOrderOf(deps, provider, route.orderIdsIn?.(body)))) failPort()
    const bodyDigest = digestOf(route, call)
    const inbound = inboundOf(host, { provider, call, message: { messageId, bodyDigest } })
    const take = () => route.take(inbound, body)
    return route.isOnceByItself ? take() : onceByMessage(inbound, take)
  }
}

const failPort = (): never => fail('FORBIDDEN', { reason: 'PORT_NOT_GRANTED' })

/** An order keeps the provider that it was made for, whatever is registered afterwards (PROV-8). */
const hasOrderOf = (
  { db }: Deps,
  provider: RegisteredProvider,
  named: readonly string[] = [],
): Promise<boolean> =>
  hasOrderAmong(
    db.read,
    provider.id,
    named.flatMap((id) => parseId('order', id) ?? []),
  )

const textOf = ({ headers }: InboundCall, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** The answer is the same for every reason, so that it reveals none (PROV-22). */
async function identify(
  { providers, clock }: Deps,
  wrongCalls: WrongCalls,
  call: InboundCall,
): Promise<Readonly<{ provider: RegisteredProvider; messageId: string }>> {
  const id = parseId('provider', call.providerId)
  const provider = id && providers.find(id)
  const secrets = provider ? providers.secretsOf(provider.id) : []
  const message = { headers: call.headers, body: call.rawBody }
  const messageId = verifyMessage(message, { secrets, now: clock.now() })
  if (provider && messageId !== undefined) return { provider, messageId }
  wrongCalls.anonymous?.take(call.ip)
  await wrongCalls.failedAuth?.take(`failed-auth ${call.ip}`)
  return fail('INVALID_SIGNATURE')
}

function mustSpeakVersion(call: InboundCall): void {
  const version = call.headers[VERSION_HEADER]
  if (version === undefined || version === PROTOCOL_VERSION) return
  const message = `must be ${PROTOCOL_VERSION}`
  const constraint = { enum: [PROTOCOL_VERSION] }
  failFields([{ field: 'Provider-Protocol-Version', constraint, message }])
}

/** The same body at another address is another message. */
const digestOf = ({ path }: InboundRoute, { rawBody }: InboundCall): Buffer =>
  createHash('sha256').update(`${path}\n`).update(rawBody).digest()

type Received = Readonly<{
  provider: RegisteredProvider
  call: InboundCall
  message: Inbound['message']
}>

function inboundOf(host: Host, { provider, call, message }: Received): Inbound {
  const { deps } = host
  const { requestId, clientRequestId } = call
  const actor = { kind: 'provider', name: provider.name } as const
  return {
    deps,
    provider,
    message,
    requestId,
    clientRequestId,
    receivedAt: deps.clock.now(),
    async inPlatform(platformId, body) {
      const platform = await findPlatform(deps.db.read, platformId)
      // Nothing of the other environment is there for it (PROV-4).
      if (platform?.environment !== provider.environment) return failNotFound('platform')
      return host.inWork({ platform, actor, requestId, clientRequestId }, body)
    },
  }
}

/** A message takes effect once; a repetition within a day gets the first answer (PROV-24). */
async function onceByMessage(
  { deps, provider, message, receivedAt }: Inbound,
  take: () => Promise<unknown>,
): Promise<unknown> {
  const { messageId, bodyDigest } = message
  const key = { providerId: provider.id, messageId }
  const claim = await claimMessage(deps, { ...key, bodyDigest, now: receivedAt })
  if (claim.state === 'answered') return claim.answer
  if (claim.state === 'reused') return fail('CONFLICT', { reason: 'MESSAGE_ID_REUSED' })
  const answer = await take()
  await keepAnswer(deps, key, answer)
  return answer
}
