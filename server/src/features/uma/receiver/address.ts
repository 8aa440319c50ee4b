import { fail } from '../../../kernel/errors.ts'
import { FORMATS } from '../../../kernel/text/formats.ts'
import type { PlatformConfig } from '../../platform/index.ts'

/** `$local@domain` in lower case, for comparison (UMA-1). */
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

/** The address of a platform that pays for itself: its own subdomain, because it is no customer. */
export const platformAddress = ({
  proxyUmaSubdomain: local,
  umaDomain: domain,
}: Pick<PlatformConfig, 'proxyUmaSubdomain' | 'umaDomain'>): string =>
  formatUmaAddress({ local, domain })
