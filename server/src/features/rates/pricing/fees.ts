import type { Fees } from './price.ts'

/** A fee as it is configured: so much per payment and so many hundredths of a percent. */
export type FeeRate = Readonly<{ fixed: bigint; bps: bigint }>

/** FEE-1: what the service charges across currencies unless the operator set something else for the platform. */
export const DEFAULT_SERVICE_FEE: FeeRate = Object.freeze({ fixed: 0n, bps: 50n })

const NO_FEE: FeeRate = Object.freeze({ fixed: 0n, bps: 0n })

/**
 * Which fees a payment carries. Within one currency there is neither a service rate (FEE-1) nor a platform fee
 * (FEE-3), only what the network and the operator's application fee cost; the network's fee is part of the
 * service's fixed one (FEE-2). The platform's fee is added, never netted.
 */
export function feesOf({
  isCrossCurrency,
  service,
  platform = NO_FEE,
  networkFee = 0n,
  applicationFee = 0n,
}: {
  isCrossCurrency: boolean
  service: FeeRate
  platform?: FeeRate
  networkFee?: bigint
  applicationFee?: bigint
}): Fees {
  const [own, added] = isCrossCurrency ? [service, platform] : [NO_FEE, NO_FEE]
  return {
    fixed: { service: own.fixed + networkFee + applicationFee, platform: added.fixed },
    bps: { service: own.bps, platform: added.bps },
  }
}
