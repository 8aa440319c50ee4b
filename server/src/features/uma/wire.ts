import { currencyToWire } from '../../kernel/wire-money.ts'
import type { UmaProviderBody } from './schema.ts'
import type { UmaProvider } from './store.ts'

/** Stands for the setting of that name in the domains of sandbox providers. */
const SANDBOX_DOMAIN = '{sandbox_uma_domain}'

export function providerToWire(
  provider: UmaProvider,
  { sandboxUmaDomain }: { sandboxUmaDomain: string },
): UmaProviderBody {
  const { name, domain, logoUrl, lei, supportedRegions, supportedCurrencies } = provider
  return {
    name,
    supportedRegions: [...supportedRegions],
    domain: domain.replace(SANDBOX_DOMAIN, sandboxUmaDomain),
    ...(logoUrl !== null && { logoUrl }),
    supportedCurrencies: supportedCurrencies.map(currencyToWire),
    ...(lei !== null && { lei }),
    allowListStatus: provider.allowListStatus,
  }
}
