import type { FieldError } from '../../../kernel/errors.ts'
import type { Environment } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import type { FoundReveal } from './store.ts'

/** Some characters that a URL allows in a host would end a directive of the policy. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** An https origin without a path; in the sandbox also http on the developer's own machine (CARD-37). */
export function isParentOrigin(text: string, environment: Environment): boolean {
  const url = URL.parse(text)
  // An origin that equals its text has no path, blank or upper case.
  if (!url || url.origin !== text || !HOST.test(url.hostname)) return false
  if (url.protocol === 'https:') return true
  const isLoopback = url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname)
  return isLoopback && traitsOf({ environment }).allowsLoopback
}

const LOOPBACK_ANCESTORS = 'http://localhost:* http://127.0.0.1:* https://localhost:*'

/**
 * The `frame-ancestors` of the page with the card's number. Without a named origin, a sandbox page may be framed on the
 * developer's own machine, and a production page not at all (CARD-37).
 */
export function frameAncestorsOf(
  { parentOrigin, cardOrigins }: Pick<FoundReveal, 'parentOrigin' | 'cardOrigins'>,
  environment: Environment,
): string {
  if (parentOrigin !== null) return parentOrigin
  if (cardOrigins.length > 0) return cardOrigins.join(' ')
  return traitsOf({ environment }).allowsLoopback ? LOOPBACK_ANCESTORS : "'none'"
}

export function checkParentOrigin(body: unknown, environment: Environment): FieldError[] {
  const origin = (body as { parentOrigin?: unknown } | null | undefined)?.parentOrigin
  if (typeof origin !== 'string' || isParentOrigin(origin, environment)) return []
  return [{ field: 'parentOrigin', message: 'must be an https origin, as https://shop.example' }]
}
