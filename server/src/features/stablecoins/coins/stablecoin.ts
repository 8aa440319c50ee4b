import type { Id } from '../../../kernel/ids.ts'
import type { IssuanceStatus } from '../../../providers/stablecoin-issuer.ts'
import type { Provider } from '../links/provider-link.ts'

export const NETWORKS = ['SPARK'] as const
export type Network = (typeof NETWORKS)[number]

/** Whether the service itself deals in the coin; set by the operator. */
export const SERVICE_OPERATIONS_STATUSES = [
  'NOT_ENABLED',
  'PENDING_APPROVAL',
  'ENABLING',
  'ENABLED',
  'DISABLED',
] as const
export type ServiceOperationsStatus = (typeof SERVICE_OPERATIONS_STATUSES)[number]

export type Stablecoin = Readonly<{
  id: Id<'stablecoin'>
  linkId: Id<'stablecoinProviderAccount'>
  provider: Provider
  providerTokenIdentifier: string
  network: Network
  networkTokenIdentifier: string
  name: string
  symbol: string
  baseCurrency: string
  decimals: number
  issuanceStatus: IssuanceStatus
  serviceOperationsStatus: ServiceOperationsStatus
  createdAt: Date
  updatedAt: Date
}>
