import { currencyOf } from '../../kernel/currency.ts'
import { ceilOf, fraction, multiply, powerOfTen, ratio } from '../../kernel/fraction.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Prices } from './mid-rate.ts'

/** One chain: the assets it carries, and what one payout costs in smallest units of its gas asset. */
type NetworkEntry = Readonly<{
  assets: readonly string[]
  fee: bigint
  feeAsset: string
  feeAssetDecimals: number
}>

/** Chapter 31, section 9.2. Of equally cheap networks the first one here is taken. */
export const NETWORKS = {
  SOLANA: { assets: ['USDC', 'USDT'], fee: 5_000n, feeAsset: 'SOL', feeAssetDecimals: 9 },
  ETHEREUM: {
    assets: ['USDC', 'USDT'],
    fee: 500_000_000_000_000n,
    feeAsset: 'ETH',
    feeAssetDecimals: 18,
  },
  BASE: { assets: ['USDC'], fee: 10_000_000_000_000n, feeAsset: 'ETH', feeAssetDecimals: 18 },
  POLYGON: { assets: ['USDC'], fee: 2_000_000_000_000_000n, feeAsset: 'POL', feeAssetDecimals: 18 },
  TRON: { assets: ['USDT'], fee: 13_000_000n, feeAsset: 'TRX', feeAssetDecimals: 6 },
  PLASMA: { assets: ['USDT'], fee: 0n, feeAsset: 'XPL', feeAssetDecimals: 18 },
  SPARK: { assets: ['BTC', 'USDB'], fee: 0n, feeAsset: 'BTC', feeAssetDecimals: 8 },
  LIGHTNING: { assets: ['BTC'], fee: 0n, feeAsset: 'BTC', feeAssetDecimals: 8 },
  BITCOIN: { assets: ['BTC'], fee: 1_000n, feeAsset: 'BTC', feeAssetDecimals: 8 },
} as const satisfies Record<string, NetworkEntry>

export type NetworkName = keyof typeof NETWORKS

const NETWORK_NAMES = Object.keys(NETWORKS) as NetworkName[]

export function isNetwork(name: string): name is NetworkName {
  return Object.hasOwn(NETWORKS, name)
}

/** The networks that carry an asset, in the table's order; none for fiat. */
export function networksOf(asset: string): NetworkName[] {
  return NETWORK_NAMES.filter((name) => (NETWORKS[name] as NetworkEntry).assets.includes(asset))
}

/** Whose price the network's fee in a currency depends on; none where it is zero or told in the currency itself. */
export function networkGasOf({
  network,
  currency,
}: {
  network: NetworkName
  currency: string
}): string | undefined {
  const { fee, feeAsset } = NETWORKS[network]
  return fee === 0n || feeAsset === currency ? undefined : feeAsset
}

/**
 * FEE-2, FEE-9: the network's fee in a currency's smallest unit, rounded up once, at the end. Undefined where the
 * gas asset or the currency has no price; a fee of zero, or one told in the currency itself, needs none.
 */
export function networkFeeIn({
  network,
  currency,
  prices,
}: {
  network: NetworkName
  currency: string
  prices: Prices
}): bigint | undefined {
  const { fee, feeAsset, feeAssetDecimals } = NETWORKS[network]
  if (networkGasOf({ network, currency }) === undefined) return fee
  const gas = prices.get(feeAsset)
  const own = prices.get(currency)
  if (!gas || !own) return undefined
  const ownPerGas = ratio({ of: own, to: gas })
  const decimalsApart = currencyOf(currency).decimals - feeAssetDecimals
  const perUnit = multiply(ownPerGas, powerOfTen(decimalsApart))
  return ceilOf(fraction({ ...perUnit, numerator: fee * perUnit.numerator }))
}

/** RATE-6: the network over which a crypto row is priced. Undefined where none of them can be priced. */
export function cheapestNetworkOf({
  asset,
  prices,
}: {
  asset: string
  prices: Prices
}): NetworkName | undefined {
  const names = networksOf(asset)
  invariant(names.length > 0, `No network carries ${asset}.`)
  let cheapest: { name: NetworkName; fee: bigint } | undefined
  for (const name of names) {
    const fee = networkFeeIn({ network: name, currency: asset, prices })
    if (fee !== undefined && (!cheapest || fee < cheapest.fee)) cheapest = { name, fee }
  }
  return cheapest?.name
}
