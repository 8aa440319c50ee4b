import type { FastifyRequest } from 'fastify'
import { fail } from '../../kernel/errors.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Callers } from '../callers.ts'
import { toApiError } from '../db/statement/constraints.ts'
import type { Deps } from '../deps.ts'
import type { AnonymousLimiter } from './edge/anonymous-limiter.ts'
import { authenticate, authenticateAgent, unauthorized } from './authenticate.ts'
import type { FailureWindow } from './edge/failure-window.ts'
import { ownValue } from '../work/own-value.ts'
import type { Identity, Operation } from './operation.ts'
import type { RateLimiter } from './edge/rate-limiter.ts'
import type { RefusedTokens } from './edge/refused-tokens.ts'

export type IdentifyOptions = Readonly<{
  deps: Deps
  callers: Callers
  /** An absent limiter means no limit. */
  limits: Readonly<{
    perToken?: RateLimiter
    failedAuth?: RateLimiter
    /** Requests without credentials, and with wrong ones, by address. */
    anonymous?: AnonymousLimiter
    /** Writes audit entries about refused tokens. */
    refusedTokens?: RefusedTokens
    /** Calls without credentials that are answered with 400 or 404. */
    failedCalls?: FailureWindow
  }>
}>

/** The authenticated caller of a request, also of one that is refused afterwards. */
const identities = ownValue<FastifyRequest, Identity>('identity')

export const identityOf = (request: FastifyRequest): Identity | undefined => identities.get(request)

/**
 * Limits the failures of callers without credentials by address, against guessing: after too many, all calls are refused
 * for a while, right or wrong (AGENT-15).
 */
export function countingFailures<T>(
  { id, needs }: Operation,
  { limits }: IdentifyOptions,
  run: (request: FastifyRequest) => Promise<T>,
): (request: FastifyRequest) => Promise<T> {
  if (needs !== 'NOTHING') return run
  return async (request) => {
    const attempt = await limits.failedCalls?.attempt(`${id} ${request.ip}`)
    let isFailure = false
    try {
      return await run(request)
    } catch (error) {
      const { status } = toApiError(error)
      isFailure = status === 400 || status === 404
      throw error
    } finally {
      if (!isFailure) await attempt?.forgive()
    }
  }
}

/** Authentication, permission and rate limit, before the body is read. Sets the identity of the request. */
export function identify(
  operation: Operation,
  request: FastifyRequest,
  options: IdentifyOptions,
): Promise<void> {
  if (operation.needs === 'AGENT') return identifyAgent(operation, request, options)
  if (operation.needs === 'NOTHING') return identifyByPath(operation, request, options)
  return identifyToken(operation, request, options)
}

async function identifyByPath(
  operation: Operation,
  request: FastifyRequest,
  { deps }: IdentifyOptions,
): Promise<void> {
  const named = request.params as Readonly<Record<string, string>>
  const found = await operation.identify?.(deps.db.read, named)
  identities.set(request, found ?? fail('REFERENCE_NOT_FOUND'))
}

/** Checks what an agent may call at all; the operation itself judges the request again. */
async function identifyAgent(
  { method, agentPermission }: Operation,
  request: FastifyRequest,
  options: IdentifyOptions,
): Promise<void> {
  const { callers, deps } = options
  const { clock } = deps
  const caller = await authenticateAgent({ callers, clock }, request.headers.authorization)
  if (!caller) {
    await countRefusal(request, options, 'agent token')
    throw unauthorized('no live agent with this token', 'Bearer')
  }
  const { agentId, customerId, isPaused, permissions, platform } = caller
  identities.set(request, { actor: { kind: 'agent', agentId, customerId }, platform })
  if (isPaused && method !== 'GET') fail('FORBIDDEN', { reason: 'AGENT_PAUSED' })
  if (agentPermission && !permissions.includes(agentPermission)) {
    fail('FORBIDDEN', { reason: 'PERMISSION_MISSING', requiredPermission: agentPermission })
  }
  await options.limits.perToken?.take(`agent ${agentId}`)
}

/** Whether the token of an open stream still exists and has its permission (TOK-5). */
export async function isStillAllowed(
  { needs }: Operation,
  { headers }: FastifyRequest,
  { callers }: IdentifyOptions,
): Promise<boolean> {
  const caller = await authenticate(callers, headers.authorization)
  return caller?.permissions.some((permission) => permission === needs) ?? false
}

async function countRefusal(
  { headers, ip }: FastifyRequest,
  { limits }: IdentifyOptions,
  kind: string,
): Promise<void> {
  if (headers.authorization !== undefined) {
    limits.refusedTokens?.note(ip, kind)
    limits.anonymous?.take(ip)
  }
  await limits.failedAuth?.take(`failed-auth ${ip}`)
}

async function identifyToken(
  operation: Operation,
  request: FastifyRequest,
  options: IdentifyOptions,
): Promise<void> {
  const caller = await authenticate(options.callers, request.headers.authorization)
  if (!caller) {
    await countRefusal(request, options, 'API token')
    throw unauthorized('no live token with this secret')
  }
  const { tokenId, permissions, platform } = caller
  identities.set(request, { actor: { kind: 'token', tokenId, permissions }, platform })
  const needed = operation.needs
  if (!permissions.some((permission) => permission === needed)) {
    fail('FORBIDDEN', { requiredPermission: needed })
  }
  if (operation.path.startsWith('/sandbox/') && !traitsOf(platform).hasTestTools) {
    fail('FORBIDDEN', { reason: 'SANDBOX_ONLY' })
  }
  const { perToken } = options.limits
  if (perToken) await perToken.take(`token ${tokenId}`)
}
