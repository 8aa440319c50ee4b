import type { Id } from '../../kernel/ids.ts'
import type { Environment, Platform } from '../../kernel/platform.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { listAccountsOfOwners } from '../internal-accounts/index.ts'
import {
  readPrices,
  readRates,
  readTerms,
  volumeDayOf,
  type Corridor,
  type Prices,
  type RatesInForce,
  type Terms,
} from '../rates/index.ts'
import { currencyOfSide, type PayingSide, type ReceivingSide } from './payment-sides.ts'
import { wantedRatesOf } from './price-payment.ts'

/** What a payment meets beside its two ends: the platform's terms, the market, and where its fee goes. */
export type PaymentTerms = Readonly<{
  corridor: Corridor
  terms: Terms
  rates: RatesInForce
  /** All that have a fresh one, for what is only compared or shown. */
  prices: Prices
  /** The platform's own account in the sending currency. */
  platformAccountId: Id<'internalAccount'> | undefined
}>

type Asked = Readonly<{
  platform: Platform
  now: Date
  paying: PayingSide
  receiving: ReceivingSide
}>

const corridorOf = ({ platform, now, paying, receiving }: Asked): Corridor => ({
  platformId: platform.id,
  sending: currencyOfSide(paying),
  receiving: currencyOfSide(receiving),
  day: volumeDayOf(now),
})

/** The terms of payments of any platforms, in one round trip; of a payment that is priced already without rates. */
export async function loadPaymentTerms(
  tx: Tx,
  asked: readonly Asked[],
  { isPriced }: { isPriced: boolean },
): Promise<(one: Asked) => PaymentTerms> {
  const corridors = asked.map(corridorOf)
  const [terms, rates, accounts, prices] = await Promise.all([
    readTerms(tx, corridors),
    readRates(tx, isPriced ? [] : asked.flatMap((one) => wantedRatesOf(one, one))),
    findPlatformAccounts(tx, corridors),
    pricesOf(tx, asked),
  ])
  return (one) => {
    const corridor = corridorOf(one)
    return {
      corridor,
      terms: terms(corridor),
      rates,
      prices: prices(one.platform.environment),
      platformAccountId: accounts(corridor),
    }
  }
}

async function findPlatformAccounts(
  tx: Tx,
  corridors: readonly Corridor[],
): Promise<(corridor: Corridor) => Id<'internalAccount'> | undefined> {
  const nameOf = (platformId: string, currency: string): string => `${platformId} ${currency}`
  const keys = new Map(
    corridors.map(({ platformId, sending: currency }) => [
      nameOf(platformId, currency),
      { platformId, customerId: null, currency },
    ]),
  )
  const rows = keys.size > 0 ? await listAccountsOfOwners(tx, [...keys.values()]) : []
  const ids = new Map(rows.map((row) => [nameOf(row.platformId, row.currency), row.id]))
  return ({ platformId, sending }) => ids.get(nameOf(platformId, sending))
}

async function pricesOf(
  tx: Tx,
  asked: readonly Asked[],
): Promise<(environment: Environment) => Prices> {
  const byEnvironment = new Map(asked.map(({ platform, now }) => [platform.environment, now]))
  const found = await Promise.all(
    [...byEnvironment].map(
      async ([environment, now]) =>
        [environment, await readPrices(tx, { environment, now })] as const,
    ),
  )
  const prices = new Map(found)
  return (environment) => prices.get(environment) ?? new Map()
}
