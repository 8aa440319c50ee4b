import type { FieldError } from '../../../kernel/errors.ts'
import type { Environment } from '../../../kernel/platform.ts'
import type { FoundReveal } from './store.ts'

/** A policy's words end at some characters that a URL lets a host have. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** CARD-37: an https origin and nothing more; in the sandbox http, too, on the developer's own machine. */
export function isParentOrigin(text: string, environment: Environment): boolean {
  const url = URL.parse(text)
  // What comes back the same holds no path, blank or upper case.
  if (!url || url.origin !== text || !HOST.test(url.hostname)) return false
  if (url.protocol === 'https:') return true
  const isLoopback = url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname)
  return isLoopback && environment === 'SANDBOX'
}

const LOOPBACK_ANCESTORS = 'http://localhost:* http://127.0.0.1:* https://localhost:*'

/**
 * CARD-37: who may hold the page of a card's number in a frame, as the policy says it. Where nobody named an origin a
 * sandbox can be embedded by a developer's own machine; in production the page opens by itself only.
 */
export function frameAncestorsOf(
  { parentOrigin, cardOrigins }: Pick<FoundReveal, 'parentOrigin' | 'cardOrigins'>,
  environment: Environment,
): string {
  if (parentOrigin !== null) return parentOrigin
  if (cardOrigins.length > 0) return cardOrigins.join(' ')
  return environment === 'SANDBOX' ? LOOPBACK_ANCESTORS : "'none'"
}

export function checkParentOrigin(body: unknown, environment: Environment): FieldError[] {
  const origin = (body as { parentOrigin?: unknown } | null | undefined)?.parentOrigin
  if (typeof origin !== 'string' || isParentOrigin(origin, environment)) return []
  return [{ field: 'parentOrigin', message: 'must be an https origin, as https://shop.example' }]
}
