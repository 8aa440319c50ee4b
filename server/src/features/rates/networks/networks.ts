import { currencyOf } from '../../../kernel/money/currency.ts'
import { ceilOf, fraction, multiply, powerOfTen, ratio } from '../../../kernel/money/fraction.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Prices } from '../prices/mid-rate.ts'

/** One chain: its assets, and the sandbox's fee for a payout in smallest units of its gas asset. */
type NetworkEntry = Readonly<{
  assets: readonly string[]
  sandboxFee: bigint
  feeAsset: string
  feeAssetDecimals: number
}>

/** The first of equally cheap networks is taken (chapter 31, section 9.2). */
export const NETWORKS = {
  SOLANA: { assets: ['USDC', 'USDT'], sandboxFee: 5_000n, feeAsset: 'SOL', feeAssetDecimals: 9 },
  ETHEREUM: {
    assets: ['USDC', 'USDT'],
    sandboxFee: 500_000_000_000_000n,
    feeAsset: 'ETH',
    feeAssetDecimals: 18,
  },
  BASE: {
    assets: ['USDC'],
    sandboxFee: 10_000_000_000_000n,
    feeAsset: 'ETH',
    feeAssetDecimals: 18,
  },
  POLYGON: {
    assets: ['USDC'],
    sandboxFee: 2_000_000_000_000_000n,
    feeAsset: 'POL',
    feeAssetDecimals: 18,
  },
  TRON: { assets: ['USDT'], sandboxFee: 13_000_000n, feeAsset: 'TRX', feeAssetDecimals: 6 },
  PLASMA: { assets: ['USDT'], sandboxFee: 0n, feeAsset: 'XPL', feeAssetDecimals: 18 },
  SPARK: { assets: ['BTC', 'USDB'], sandboxFee: 0n, feeAsset: 'BTC', feeAssetDecimals: 8 },
  LIGHTNING: { assets: ['BTC'], sandboxFee: 0n, feeAsset: 'BTC', feeAssetDecimals: 8 },
  BITCOIN: { assets: ['BTC'], sandboxFee: 1_000n, feeAsset: 'BTC', feeAssetDecimals: 8 },
} as const satisfies Record<string, NetworkEntry>

export type NetworkName = keyof typeof NETWORKS

export const NETWORK_NAMES = Object.keys(NETWORKS) as NetworkName[]

export function isNetwork(name: string): name is NetworkName {
  return Object.hasOwn(NETWORKS, name)
}

/** Gas assets are priced like currencies (PROV-131). */
export const GAS_ASSETS: ReadonlySet<string> = new Set(
  Object.values(NETWORKS).map(({ feeAsset }) => feeAsset),
)

/** The networks that carry an asset, in the table's order; none for fiat. */
export function networksOf(asset: string): NetworkName[] {
  return NETWORK_NAMES.filter((name) => (NETWORKS[name] as NetworkEntry).assets.includes(asset))
}

/**
 * The fee of a payout over each network, in smallest units of its gas asset. In production a network is missing until the
 * operator sets its fee (FEE-11).
 */
export type NetworkFees = ReadonlyMap<NetworkName, bigint>

export const SANDBOX_NETWORK_FEES: NetworkFees = new Map(
  NETWORK_NAMES.map((name) => [name, NETWORKS[name].sandboxFee]),
)

/** A payout over a network, and the currency of its fee. */
export type OverNetwork = Readonly<{ network: NetworkName; currency: string }>

/** A fee of zero, or in the gas asset itself, needs no price. */
export const needsGasPrice = ({ network, currency }: OverNetwork, fee: bigint): boolean =>
  fee > 0n && NETWORKS[network].feeAsset !== currency

/**
 * The network fee in a currency's smallest unit, rounded up once, at the end (FEE-2, FEE-9). Undefined where the gas asset
 * or the currency has no price.
 */
export function networkFeeIn({
  network,
  currency,
  fee,
  prices,
}: OverNetwork & Readonly<{ fee: bigint; prices: Prices }>): bigint | undefined {
  if (!needsGasPrice({ network, currency }, fee)) return fee
  const { feeAsset, feeAssetDecimals } = NETWORKS[network]
  const gas = prices.get(feeAsset)
  const own = prices.get(currency)
  if (!gas || !own) return undefined
  const ownPerGas = ratio({ of: own, to: gas })
  const decimalsApart = currencyOf(currency).decimals - feeAssetDecimals
  const perUnit = multiply(ownPerGas, powerOfTen(decimalsApart))
  return ceilOf(fraction({ ...perUnit, numerator: fee * perUnit.numerator }))
}

/** The network over which a crypto row is priced; undefined where no fee can be priced (RATE-6). */
export function cheapestNetworkOf({
  asset,
  prices,
  fees,
}: {
  asset: string
  prices: Prices
  fees: NetworkFees
}): NetworkName | undefined {
  const names = networksOf(asset)
  invariant(names.length > 0, `No network carries ${asset}.`)
  let cheapest: { name: NetworkName; cost: bigint } | undefined
  for (const name of names) {
    const fee = fees.get(name)
    if (fee === undefined) continue
    const cost = networkFeeIn({ network: name, currency: asset, fee, prices })
    if (cost !== undefined && (!cheapest || cost < cheapest.cost)) cheapest = { name, cost }
  }
  return cheapest?.name
}
