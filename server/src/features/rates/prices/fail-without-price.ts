import { fail } from '../../../kernel/errors.ts'
import { NETWORKS, type NetworkName } from '../networks/networks.ts'
import { NETWORK_FEE, type NetworkFee } from './read-rates.ts'

/**
 * RATE-11, FEE-11: names what the operator has to set before a price can be given: codes without a current price, and the
 * network whose fee, or whose gas asset, it is. Fails: QUOTE_REQUEST_FAILED.
 */
export function failWithoutPrice({
  missing = [],
  network,
  networkFee,
}: Readonly<{
  /** Of the pair itself. */
  missing?: readonly string[]
  network: NetworkName | undefined
  networkFee: NetworkFee | undefined
}>): never {
  const ofNetwork = networkFee?.ok === false ? networkFee.missing : []
  const isNetworks = (code: string): boolean =>
    code === NETWORK_FEE || (network !== undefined && code === NETWORKS[network].feeAsset)
  return fail('QUOTE_REQUEST_FAILED', {
    ...(ofNetwork.some(isNetworks) && { network }),
    missing: [...new Set([...missing, ...ofNetwork])],
  })
}
