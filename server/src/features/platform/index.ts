export { createPlatform } from './create-platform.ts'
export { takesIncoming, type CounterpartyField, type PlatformConfig } from './config.ts'
export { findOnboardingUrl } from './find-onboarding-url.ts'
export {
  CURRENCIES_WITH_REQUIREMENTS,
  CUSTOMER_INFO_FIELD_NAMES,
  providerRequirementsOf,
  type CustomerInfoFieldName,
} from './provider-requirements.ts'
export { readConfig } from './read-config.ts'
export { readPasskeyOrigins } from './read-passkey-origins.ts'
export { routes } from './routes.ts'
export { CounterpartyFieldSchema, FixedFeeSchema } from './schema.ts'
