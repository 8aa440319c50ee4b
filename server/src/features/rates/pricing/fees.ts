import type { Fees } from './price.ts'

/** A configured fee: a fixed amount for each payment, and basis points. */
export type FeeRate = Readonly<{ fixed: bigint; bps: bigint }>

/** The service fee across currencies where the operator set none for the platform (FEE-1). */
export const DEFAULT_SERVICE_FEE: FeeRate = Object.freeze({ fixed: 0n, bps: 50n })

const NO_FEE: FeeRate = Object.freeze({ fixed: 0n, bps: 0n })

/**
 * The fees of a payment. Within one currency there is neither a service rate (FEE-1) nor a platform fee
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
