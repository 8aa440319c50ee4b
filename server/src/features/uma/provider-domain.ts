/**
 * In the directory the sandbox's own domains hold a placeholder for the setting SANDBOX_UMA_DOMAIN, so that they follow
 * it. Nobody outside sees the placeholder.
 */
import type { Environment } from '../../kernel/platform.ts'

export const SANDBOX_DOMAIN = '{sandbox_uma_domain}'

/** One environment's directory, under the setting as it is now. */
export type Directory = Readonly<{ environment: Environment; sandboxDomain: string }>

export const domainToWire = (domain: string, sandboxDomain: string): string =>
  domain.replace(SANDBOX_DOMAIN, sandboxDomain)

/** How the directory writes a domain that somebody has given. */
export function domainToKeep({ environment, sandboxDomain }: Directory, domain: string): string {
  if (environment !== 'SANDBOX') return domain
  if (domain === sandboxDomain) return SANDBOX_DOMAIN
  return domain.endsWith(`.${sandboxDomain}`)
    ? `${domain.slice(0, -sandboxDomain.length)}${SANDBOX_DOMAIN}`
    : domain
}
