export { createPlatform, type PlatformToCreate } from './create-platform.ts'
export { openWebhookKey } from './webhook-key.ts'
