import { fail } from '../../../kernel/errors.ts'
import { FORMATS } from '../../../kernel/formats.ts'
import type { PlatformConfig } from '../../platform/index.ts'

/** UMA-1: `$local@domain`, held in lower case, in which it is compared. */
export type UmaAddress = Readonly<{ local: string; domain: string }>

export function parseUmaAddress(text: string): UmaAddress | undefined {
  if (!FORMATS['uma-address']?.(text)) return undefined
  const [local = '', domain = ''] = text.slice(1).toLowerCase().split('@')
  return { local, domain }
}

/** Fails: INVALID_UMA_ADDRESS. */
export function mustParseUmaAddress(text: string): UmaAddress {
  return parseUmaAddress(text) ?? fail('INVALID_UMA_ADDRESS')
}

export function formatUmaAddress({ local, domain }: UmaAddress): string {
  return `$${local}@${domain}`
}

/** What a platform that pays for itself goes by: it is nobody's customer, so its own subdomain names it. */
export const platformAddress = ({
  proxyUmaSubdomain: local,
  umaDomain: domain,
}: Pick<PlatformConfig, 'proxyUmaSubdomain' | 'umaDomain'>): string =>
  formatUmaAddress({ local, domain })
