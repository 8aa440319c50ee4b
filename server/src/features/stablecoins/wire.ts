import { toWireTime } from '../../kernel/clock.ts'
import { formatId, mustParseId, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Environment } from '../../kernel/platform.ts'
import type { OrderRequest } from './operations/prepare-operation.ts'
import type { ProviderLink } from './links/provider-link.ts'
import type {
  BurnRequest,
  MintRequest,
  OperationBody,
  ProviderAccountBody,
  StablecoinBody,
} from './schema.ts'
import type { Stablecoin } from './coins/stablecoin.ts'
import { isExpired, type StablecoinOperation } from './operations/stablecoin-operation.ts'

/** Environment and time of the platform that owns the resource. */
type At = Readonly<{ environment: Environment; now: Date }>

export function linkToWire(link: ProviderLink, { environment }: At): ProviderAccountBody {
  return {
    id: formatId('stablecoinProviderAccount', link.id),
    provider: link.provider,
    providerAccountId: link.providerAccountId,
    providerEnvironment: environment,
    status: link.status,
    lastVerifiedAt: toWireTime(link.lastVerifiedAt),
    createdAt: toWireTime(link.createdAt),
    updatedAt: toWireTime(link.updatedAt),
  }
}

export function stablecoinToWire(coin: Stablecoin, { environment }: At): StablecoinBody {
  return {
    id: formatId('stablecoin', coin.id),
    name: coin.name,
    symbol: coin.symbol,
    baseCurrency: coin.baseCurrency,
    network: coin.network,
    decimals: coin.decimals,
    issuanceStatus: coin.issuanceStatus,
    serviceOperationsStatus: coin.serviceOperationsStatus,
    networkTokenIdentifier: coin.networkTokenIdentifier,
    ...(coin.serviceOperationsStatus === 'ENABLED' && { currency: coin.symbol }),
    provider: coin.provider,
    stablecoinProviderAccountId: formatId('stablecoinProviderAccount', coin.linkId),
    providerEnvironment: environment,
    providerTokenIdentifier: coin.providerTokenIdentifier,
    createdAt: toWireTime(coin.createdAt),
    updatedAt: toWireTime(coin.updatedAt),
  }
}

const accountId = (id: Id<'externalAccount'>): string => formatId('externalAccount', id)

/** A passed deadline is shown as expired, also before its job has run (STBL-21). */
export function operationToWire(operation: StablecoinOperation, at: At): OperationBody {
  const expiredAt = isExpired(operation, at.now) ? operation.expiresAt : null
  const { sourceAccountId, destinationRail, fundingInstructions, estimatedDelivery } = operation
  return {
    id: formatId('stablecoinOperation', operation.id),
    stablecoinId: formatId('stablecoin', operation.stablecoinId),
    operationType: operation.operationType,
    status: expiredAt ? 'EXPIRED' : operation.status,
    amount: operation.amount.toString(),
    provider: operation.provider,
    providerEnvironment: at.environment,
    stablecoinProviderAccountId: formatId('stablecoinProviderAccount', operation.linkId),
    source: {
      type: operation.sourceType,
      ...(sourceAccountId && { externalAccountId: accountId(sourceAccountId) }),
    },
    ...(fundingInstructions && { fundingInstructions }),
    destination: {
      accountId: accountId(operation.destinationAccountId),
      ...(destinationRail && { rail: destinationRail }),
    },
    ...(estimatedDelivery && { estimatedDelivery }),
    ...(operation.expiresAt && { expiresAt: toWireTime(operation.expiresAt) }),
    ...(operation.providerStatus && { providerStatus: operation.providerStatus }),
    ...(operation.failureReason && { failureReason: operation.failureReason }),
    ...(operation.description !== null && { description: operation.description }),
    createdAt: toWireTime(operation.createdAt),
    updatedAt: toWireTime(expiredAt ?? operation.updatedAt),
  }
}

export function mintFromWire({
  amount,
  fundingSource,
  destination,
  description,
}: MintRequest): OrderRequest {
  const { type } = fundingSource
  invariant(
    type !== 'SERVICE_INTERNAL_ACCOUNT' && type !== 'PROVIDER_INTERNAL_BALANCE',
    'A reserved funding source was refused before.',
  )
  const sourceAccountId =
    type === 'WIRE' ? null : mustParseId('externalAccount', fundingSource.externalAccountId)
  return {
    operationType: 'MINT',
    amount,
    sourceType: type,
    sourceAccountId,
    destinationAccountId: mustParseId('externalAccount', destination.accountId),
    destinationRail: null,
    description: description ?? null,
  }
}

export function burnFromWire({
  amount,
  source,
  destination,
  description,
}: BurnRequest): OrderRequest {
  const { type } = source
  invariant(type !== 'SERVICE_INTERNAL_ACCOUNT', 'A reserved source was refused before.')
  return {
    operationType: 'BURN',
    amount,
    sourceType: type,
    sourceAccountId: null,
    destinationAccountId: mustParseId('externalAccount', destination.externalAccountId),
    destinationRail: destination.rail,
    description: description ?? null,
  }
}
