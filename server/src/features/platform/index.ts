export { createPlatform, type PlatformToCreate } from './create-platform.ts'
export type { CurrencyConfig, FeeConfig, PlatformConfig } from './config.ts'
export {
  providerRequirementsOf,
  type CustomerInfoFieldName,
  type ProviderRequirements,
} from './provider-requirements.ts'
export { readConfig } from './read-config.ts'
export { routes } from './routes.ts'
