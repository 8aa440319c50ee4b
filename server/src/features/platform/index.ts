export { checkConfig } from './check-config.ts'
export { createPlatform } from './create-platform.ts'
export {
  takesIncoming,
  type Branding,
  type CounterpartyField,
  type PlatformConfig,
} from './config.ts'
export {
  findBranding,
  findLogo,
  findOnboardingUrl,
  readConfig,
  readPasskeyOrigins,
} from './read-config.ts'
export {
  CURRENCIES_WITH_REQUIREMENTS,
  CUSTOMER_INFO_FIELD_NAMES,
  providerRequirementsOf,
  type CustomerInfoFieldName,
} from './provider-requirements.ts'
export { routes } from './routes.ts'
export { CounterpartyFieldSchema, FixedFeeSchema } from './schema.ts'
export { updateConfig } from './update-config.ts'
export { logoPath } from './wire.ts'
