import { Type, type Static } from 'typebox'
import { ONE, toSignificantDigits } from '../kernel/money/fraction.ts'
import type { Deps } from '../infra/deps.ts'
import { toWireTime } from '../kernel/clock.ts'
import { DEFAULT_ENVIRONMENT } from '../kernel/platform.ts'
import {
  listPrices,
  NETWORK_NAMES,
  NETWORKS,
  readNetworkFees,
  UNIT_CURRENCY,
  type NetworkFees,
} from '../features/rates/index.ts'
import { timestamp } from '../infra/http/schema/wire-schema.ts'
import { record } from './command.ts'
import { listNeededCurrencies, type NeededCurrency } from './operator-store.ts'

/** More than enough to see a price by. */
export const SHOWN_DIGITS = 12

/** A price that production cannot do without; a stale one is missing or too old to be used. */
export const RequiredPriceSchema = record({
  code: Type.String(),
  usedFor: Type.String(),
  price: Type.Optional(Type.String()),
  updatedAt: Type.Optional(timestamp()),
  stale: Type.Boolean(),
})

export type RequiredPrice = Static<typeof RequiredPriceSchema>

/** What a network costs unless the operator says otherwise is enough to know that its gas asset needs a price. */
const isGasNeeded = (fees: NetworkFees, network: (typeof NETWORK_NAMES)[number]): boolean =>
  (fees.get(network) ?? NETWORKS[network].sandboxFee) > 0n

/**
 * RATE-12: every price that the production platforms of the installation need: of their currencies, of the external
 * accounts they pay to, and of the assets that networks charge their fees in. None where there is no such platform.
 */
export async function listRequiredPrices(
  deps: Pick<Deps, 'db' | 'clock'>,
): Promise<RequiredPrice[]> {
  const { read } = deps.db
  const [currencies, fees, prices] = await Promise.all([
    listNeededCurrencies(read),
    readNetworkFees(read, DEFAULT_ENVIRONMENT),
    listPrices(deps),
  ])
  if (currencies.length === 0) return []
  const gas = NETWORK_NAMES.filter((network) => isGasNeeded(fees, network)).map(
    (network): NeededCurrency => ({
      code: NETWORKS[network].feeAsset,
      usedFor: `NETWORK_FEE:${network}`,
    }),
  )
  const known = new Map(prices.map((price) => [price.currency, price]))
  return [...currencies, ...gas]
    .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
    .map((needed) => ({ ...needed, ...shown(known.get(needed.code), needed.code) }))
}

const nameOf = ({ code, usedFor }: NeededCurrency): string => `${code} ${usedFor}`

/** Dollars are what everything is priced in: nobody sets them, and they never grow old. */
function shown(
  known: Awaited<ReturnType<typeof listPrices>>[number] | undefined,
  code: string,
): Pick<RequiredPrice, 'price' | 'updatedAt' | 'stale'> {
  if (code === UNIT_CURRENCY) return { price: toSignificantDigits(ONE, SHOWN_DIGITS), stale: false }
  if (!known) return { stale: true }
  const { price, setAt, isFresh } = known
  return {
    price: toSignificantDigits(price, SHOWN_DIGITS),
    updatedAt: toWireTime(setAt),
    stale: !isFresh,
  }
}
