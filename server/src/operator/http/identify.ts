import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../kernel/access/operator.ts'
import type { Deps } from '../../infra/deps.ts'
import { unauthorized } from '../../infra/http/authenticate.ts'
import { createRateLimiter } from '../../infra/http/edge/rate-limiter.ts'
import { createRefusedTokens } from '../../infra/http/edge/refused-tokens.ts'
import { identifyToken } from '../operators/identify-token.ts'

/** Per token, in all processes together (OPER-64). */
const RATE = { ratePerSecond: 50, burst: 100 }

const secretOf = ({ headers }: FastifyRequest): string | undefined =>
  /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]

/** Who calls, by the token. Fails: UNAUTHORIZED, always in the same words, RATE_LIMITED (OPER-41, OPER-64). */
export function createIdentify(deps: Deps): (request: FastifyRequest) => Promise<Caller> {
  const { db, clock, settings } = deps
  const perToken = createRateLimiter(db, clock, RATE)
  const perMinute = settings.rateLimitFailedAuthPerMinute
  const failures =
    perMinute > 0
      ? createRateLimiter(db, clock, { ratePerSecond: perMinute / 60, burst: perMinute })
      : undefined
  const refused = createRefusedTokens(deps)
  return async (request) => {
    const secret = secretOf(request)
    const caller = secret && (await identifyToken(deps, secret, request.ip))
    if (!caller) {
      if (secret !== undefined) refused.note(request.ip, 'operator token')
      // The same count as that of the API (CORE-25).
      await failures?.take(`failed-auth ${request.ip}`)
      throw unauthorized('no live operator token with this secret', 'Bearer')
    }
    await perToken.take(`operator-token ${caller.tokenId ?? caller.name}`)
    return caller
  }
}
