import { currencyToWire } from '../../../kernel/money/wire-money.ts'
import type { Settings } from '../../../infra/settings/settings.ts'
import { domainToWire } from './domain.ts'
import type { UmaProviderBody } from '../schema.ts'
import type { UmaProvider } from './store.ts'

export function providerToWire(
  provider: UmaProvider,
  { sandboxUmaDomains }: Pick<Settings, 'sandboxUmaDomains'>,
): UmaProviderBody {
  const { name, domain, logoUrl, lei, supportedRegions, supportedCurrencies } = provider
  return {
    name,
    supportedRegions: [...supportedRegions],
    domain: domainToWire(domain, sandboxUmaDomains),
    ...(logoUrl !== null && { logoUrl }),
    supportedCurrencies: supportedCurrencies.map(currencyToWire),
    ...(lei !== null && { lei }),
    allowListStatus: provider.allowListStatus,
  }
}
