/**
 * In the directory the sandbox's own domains hold a placeholder for those of the setting SANDBOX_UMA_DOMAIN, so that they
 * follow it. Nobody outside sees the placeholder.
 */
import type { Environment } from '../../../kernel/platform.ts'

export const SANDBOX_DOMAIN = '{sandbox_uma_domain}'

/** One environment's directory, under the setting as it is now. */
export type Directory = Readonly<{ environment: Environment; sandboxDomains: readonly string[] }>

/** The first of the sandbox's domains is the one that is shown. */
export const domainToWire = (domain: string, [first = '']: readonly string[]): string =>
  domain.replace(SANDBOX_DOMAIN, first)

/** How the directory writes a domain that somebody has given. */
export const domainToKeep = ({ environment, sandboxDomains }: Directory, domain: string): string =>
  environment === 'SANDBOX' ? sandboxFormOf(domain, sandboxDomains) : domain

/**
 * The sandbox's domains are all alike, so each is written as the placeholder; other domains stay as they are. The longest
 * match counts: a domain that is listed beside the one above it is no subdomain of that.
 */
export function sandboxFormOf(domain: string, sandboxDomains: readonly string[]): string {
  const [longest] = sandboxDomains
    .filter((one) => domain === one || domain.endsWith(`.${one}`))
    .toSorted((one, other) => other.length - one.length)
  return longest === undefined ? domain : `${domain.slice(0, -longest.length)}${SANDBOX_DOMAIN}`
}
