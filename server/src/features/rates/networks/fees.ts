import { platformTime } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isFresh } from '../prices/market.ts'
import { isProvider, priceSourceOf, type PriceCaller } from '../prices/source.ts'
import { SANDBOX_NETWORK_FEES, type NetworkFees, type NetworkName } from './networks.ts'
import {
  listNetworkFees,
  listProviderFees,
  saveNetworkFee,
  type ProviderNetworkFee,
} from './store.ts'

/**
 * The network fees of any platforms: the sandbox's are fixed, the operator sets the others (FEE-2, FEE-11). A provider of
 * prices replaces those that it has ever stated; one that is stale is missing (PROV-134).
 */
export async function readNetworkFees(
  tx: Tx,
  callers: readonly PriceCaller[],
): Promise<(caller: PriceCaller) => NetworkFees> {
  const stored = [...new Set(callers.map(priceSourceOf))].filter((source) => source !== 'sandbox')
  const providerIds = stored.filter(isProvider)
  const [manual, provided] = await Promise.all([
    stored.length > 0 ? listNetworkFees(tx) : [],
    providerIds.length > 0 ? listProviderFees(tx, providerIds) : [],
  ])
  const operators: NetworkFees = new Map(manual.map(({ network, fee }) => [network, fee]))
  return (caller) => {
    const source = priceSourceOf(caller)
    const isFixed = !traitsOf(caller.platform).usesRealNetworks
    const known = source !== 'manual' && isFixed ? SANDBOX_NETWORK_FEES : operators
    return isProvider(source)
      ? replaced(known, { caller, by: provided.filter((fee) => fee.providerId === source) })
      : known
  }
}

type Replacing = Readonly<{ caller: PriceCaller; by: readonly ProviderNetworkFee[] }>

function replaced(known: NetworkFees, { caller, by }: Replacing): NetworkFees {
  const fees = new Map(known)
  for (const { network, fee, validUntil } of by) {
    const isValid = isFresh({ validUntil: platformTime(caller.platform, validUntil) }, caller.now)
    if (isValid) fees.set(network, fee)
    else fees.delete(network)
  }
  return fees
}

/** Sets the fee of a payout over a network in production, for new quotes only. */
export const setNetworkFee = (
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  { network, fee }: Readonly<{ network: NetworkName; fee: bigint }>,
): Promise<void> => saveNetworkFee(tx, { network, fee, setAt: now })
