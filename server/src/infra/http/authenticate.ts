import { digestSecret, secretMatches } from '../../crypto/secret-hash.ts'
import { isPast, type Clock } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { parseId, type Id } from '../../kernel/ids.ts'
import { platformTime } from '../../kernel/platform.ts'
import type { AgentCaller, Caller, Callers } from '../callers.ts'

/** A digest that no secret has, so that an unknown id takes as much time as a known one. */
const NO_SECRET_DIGEST = digestSecret('')

const EXPECTED = {
  Basic:
    'Send the client id and the client secret of an API token by HTTP Basic; they are missing, malformed, wrong or no longer valid.',
  Bearer:
    'Send the agent’s token as `Authorization: Bearer agt_…`; it is missing, malformed, wrong or no longer valid.',
}

/** The header names the scheme that would do (AGENT-19), the message how it is written; in every case the same (CORE-20). */
export function unauthorized(because: string, scheme: keyof typeof EXPECTED = 'Basic'): ApiError {
  const headers = { 'WWW-Authenticate': scheme }
  return new ApiError('UNAUTHORIZED', { headers, because, message: EXPECTED[scheme] })
}

/** The user name is a token's id (`Token:<uuid>`) or its client id (32 hex digits), TOK-2. */
function tokenIdOf(username: string): Id<'token'> | undefined {
  if (!/^[0-9a-f]{32}$/.test(username)) return parseId('token', username)
  const part = (start: number, end: number): string => username.slice(start, end)
  const uuid = `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
  return uuid as Id<'token'>
}

function credentialsOf(
  header: string | undefined,
): { username: string; secret: string } | undefined {
  const encoded = /^basic ([A-Za-z0-9+/_=-]+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  // A token id has a colon, a secret never has.
  const colon = text.lastIndexOf(':')
  if (colon < 0) return undefined
  return { username: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** The caller, or the same 401 for every reason (CORE-20). */
export async function authenticate(
  callers: Callers,
  header: string | undefined,
): Promise<Caller | undefined> {
  const credentials = credentialsOf(header)
  if (!credentials) return undefined
  const tokenId = tokenIdOf(credentials.username)
  const caller = tokenId && (await callers.find(tokenId))
  const matches = secretMatches(credentials.secret, caller?.secretDigest ?? NO_SECRET_DIGEST)
  return caller && matches ? caller : undefined
}

/**
 * The agent that calls (CORE-24). Its token is found by digest, so there is nothing to compare; an ended token belongs
 * to no agent (AGENT-16).
 */
export async function authenticateAgent(
  { callers, clock }: Readonly<{ callers: Callers; clock: Clock }>,
  header: string | undefined,
): Promise<AgentCaller | undefined> {
  const token = /^bearer (agt_[A-Za-z0-9_-]{43})$/i.exec(header ?? '')?.[1]
  const caller = token === undefined ? undefined : await callers.findAgent(digestSecret(token))
  if (!caller?.tokenExpiresAt) return caller
  const now = platformTime(caller.platform, clock.now())
  return isPast({ deadline: caller.tokenExpiresAt, now }) ? undefined : caller
}
