/**
 * The directory stores the sandbox's own domains with a placeholder, so that they follow the setting SANDBOX_UMA_DOMAIN.
 * Answers never contain the placeholder.
 */
import type { Environment } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'

export const SANDBOX_DOMAIN = '{sandbox_uma_domain}'

/** One environment's directory, with the domains of the setting. */
export type Directory = Readonly<{ environment: Environment; sandboxDomains: readonly string[] }>

/** Answers show the first of the sandbox's domains. */
export const domainToWire = (domain: string, [first = '']: readonly string[]): string =>
  domain.replace(SANDBOX_DOMAIN, first)

/** The form in which the directory stores a domain. */
export const domainToKeep = ({ environment, sandboxDomains }: Directory, domain: string): string =>
  traitsOf({ environment }).hasMagicValues ? sandboxFormOf(domain, sandboxDomains) : domain

/**
 * Replaces any of the sandbox's domains by the placeholder; other domains do not change. The longest match counts, so
 * that a listed subdomain is not taken for a subdomain of another listed domain.
 */
export function sandboxFormOf(domain: string, sandboxDomains: readonly string[]): string {
  const [longest] = sandboxDomains
    .filter((one) => domain === one || domain.endsWith(`.${one}`))
    .toSorted((one, other) => other.length - one.length)
  return longest === undefined ? domain : `${domain.slice(0, -longest.length)}${SANDBOX_DOMAIN}`
}
