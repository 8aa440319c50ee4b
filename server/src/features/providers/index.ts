export type { GivenFields } from './fields.ts'
export { INBOUND_PATHS, inboundUrl, isGranted } from './inbound/paths.ts'
export { createReceiver } from './inbound/receive.ts'
export {
  batchRoute,
  bodyProblems,
  rejectFields,
  type Inbound,
  type InboundRoute,
  type ItemResult,
} from './inbound/routes.ts'
export { removeProvider } from './remove-provider.ts'
export { rotateSecret } from './rotate-secret.ts'
export { addProvider, updateProvider } from './save-provider.ts'
export { providerFields, providerToWire } from './wire.ts'
