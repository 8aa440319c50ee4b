import { fail } from '../../../kernel/errors.ts'
import { NETWORKS, type NetworkName } from '../networks/networks.ts'
import { NETWORK_FEE, type NetworkFee } from './read-rates.ts'

/**
 * Names what the operator has to set: codes without a current price, and the network whose fee or gas asset is missing
 * (RATE-11, FEE-11). Fails: QUOTE_REQUEST_FAILED.
 */
export function failWithoutPrice({
  missing = [],
  network,
  networkFee,
}: Readonly<{
  /** Codes of the pair itself. */
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
