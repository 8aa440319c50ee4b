import type { Environment } from '../../../kernel/platform.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import { providerKindFor } from '../../../providers/provider-for.ts'
import { SANDBOX_NETWORK_FEES, type NetworkFees, type NetworkName } from './networks.ts'
import { listNetworkFees, saveNetworkFee } from './store.ts'

/** The sandbox's fees are fixed; the operator sets production's (FEE-2, FEE-11). */
export async function readNetworkFees(tx: Tx, environment: Environment): Promise<NetworkFees> {
  if (providerKindFor({ environment }, 'prices') === 'sandbox') return SANDBOX_NETWORK_FEES
  return new Map((await listNetworkFees(tx)).map(({ network, fee }) => [network, fee]))
}

/** Sets the fee of a payout over a network in production, for new quotes only. */
export const setNetworkFee = (
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  { network, fee }: Readonly<{ network: NetworkName; fee: bigint }>,
): Promise<void> => saveNetworkFee(tx, { network, fee, setAt: now })
