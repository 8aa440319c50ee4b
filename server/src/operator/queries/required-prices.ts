import { Type, type Static } from '../../infra/http/schema/type.ts'
import { ONE, toSignificantDigits } from '../../kernel/money/fraction.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Deps } from '../../infra/deps.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import {
  isProvider,
  listNetworkFees,
  listPrices,
  listProviderFees,
  NETWORK_NAMES,
  NETWORKS,
  priceSourceOf,
  UNIT_CURRENCY,
  type NetworkFees,
  type NetworkName,
  type PriceSource,
  type ShownPrice,
} from '../../features/rates/index.ts'
import { timestamp } from '../../infra/http/schema/wire-schema.ts'
import { record } from '../command.ts'
import { listNeededCurrencies, listPlatforms } from './operator-store.ts'

/** More than enough to see a price by. */
export const SHOWN_DIGITS = 12

/** A price that production cannot do without; a stale one is missing or too old to be used. */
export const RequiredPriceSchema = record({
  code: Type.String(),
  usedFor: Type.String(),
  provider: Type.Optional(Type.String()),
  price: Type.Optional(Type.String()),
  updatedAt: Type.Optional(timestamp()),
  stale: Type.Boolean(),
})

export type RequiredPrice = Static<typeof RequiredPriceSchema>

/** What a network costs unless something else is known is enough to know that its gas asset needs a price. */
const isGasNeeded = (fees: NetworkFees, network: NetworkName): boolean =>
  (fees.get(network) ?? NETWORKS[network].sandboxFee) > 0n

type Needed = Readonly<{ code: string; usedFor: string; source: PriceSource }>

/**
 * Every price that the production platforms need, from the source that serves each platform: of their currencies, of
 * the external accounts that they pay, and of the assets in which networks charge fees (RATE-12, PROV-132).
 */
export async function listRequiredPrices(
  deps: Pick<Deps, 'db' | 'clock' | 'providers'>,
): Promise<RequiredPrice[]> {
  const { read } = deps.db
  const platforms = (await listPlatforms(read)).filter((one) => !traitsOf(one).isMarkedAsTest)
  const sourceOf = new Map(
    platforms.map((one) => [one.id, priceSourceOf({ ports: deps.providers.portsOf(one) })]),
  )
  const [currencies, prices] = await Promise.all([
    listNeededCurrencies(read, [...sourceOf.keys()]),
    listPrices(deps),
  ])
  const needed = currencies.flatMap(({ platformId, code, usedFor }): Needed[] => {
    const source = sourceOf.get(platformId)
    return source === undefined ? [] : [{ code, usedFor, source }]
  })
  const sources = [...new Set(needed.map(({ source }) => source))]
  const gas = await listNeededGas(read, sources)
  const known = new Map(prices.map((price) => [`${price.source} ${price.currency}`, price]))
  const unique = new Map([...needed, ...gas].map((one) => [nameOf(one), one]))
  return [...unique]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { code, usedFor, source }]) => ({
      code,
      usedFor,
      ...(isProvider(source) && { provider: deps.providers.find(source)?.name ?? source }),
      ...shown(known.get(`${source} ${code}`), code),
    }))
}

async function listNeededGas(tx: Tx, sources: readonly PriceSource[]): Promise<Needed[]> {
  const [manual, provided] = await Promise.all([
    listNetworkFees(tx),
    listProviderFees(tx, sources.filter(isProvider)),
  ])
  return sources.flatMap((source) => {
    const own = provided.filter(({ providerId }) => providerId === source)
    const fees = new Map([...manual, ...own].map(({ network, fee }) => [network, fee]))
    return NETWORK_NAMES.filter((network) => isGasNeeded(fees, network)).map((network) => {
      const usedFor = `NETWORK_FEE:${network}`
      return { code: NETWORKS[network].feeAsset, usedFor, source }
    })
  })
}

const nameOf = ({ code, usedFor, source }: Needed): string => `${code} ${usedFor} ${source}`

/** All prices are per 1 USD, so the dollar itself has a fixed price that is never stale. */
function shown(
  known: ShownPrice | undefined,
  code: string,
): Pick<RequiredPrice, 'price' | 'updatedAt' | 'stale'> {
  if (code === UNIT_CURRENCY) return { price: toSignificantDigits(ONE, SHOWN_DIGITS), stale: false }
  if (!known) return { stale: true }
  return {
    price: toSignificantDigits(known.mid, SHOWN_DIGITS),
    updatedAt: toWireTime(known.at),
    stale: !known.isFresh,
  }
}
