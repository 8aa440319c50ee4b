import type { Id } from '../../kernel/ids.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { listAccountsOfOwners } from '../internal-accounts/index.ts'
import {
  readPrices,
  readRates,
  readTerms,
  volumeDayOf,
  type Corridor,
  type PriceCaller,
  type Prices,
  type RatesInForce,
  type Terms,
  type WantedRate,
} from '../rates/index.ts'

/** What the price of a payment depends on besides its sides: the platform's terms, the rates, and its fee account. */
export type PaymentTerms = Readonly<{
  corridor: Corridor
  terms: Terms
  rates: RatesInForce
  /** The current prices, for amounts that are only compared or shown. */
  prices: Prices
  /** The platform's own account in the sending currency. */
  platformAccountId: Id<'internalAccount'> | undefined
}>

type Asked = PriceCaller &
  Readonly<{
    /** The currencies of both sides. */
    sending: string
    receiving: string
  }>

const corridorOf = ({ platform, now, sending, receiving }: Asked): Corridor => ({
  platformId: platform.id,
  sending,
  receiving,
  day: volumeDayOf(now),
})

/** The terms of payments of any platforms, in one round trip, with the rates of those that are not priced yet. */
export async function loadPaymentTerms(
  tx: Tx,
  asked: readonly Asked[],
  wantedRates: readonly WantedRate[] = [],
): Promise<(one: Asked) => PaymentTerms> {
  const corridors = asked.map(corridorOf)
  const [terms, rates, accounts, prices] = await Promise.all([
    readTerms(
      tx,
      asked.map((one) => ({ ...corridorOf(one), ports: one.ports })),
    ),
    readRates(tx, wantedRates),
    findPlatformAccounts(tx, corridors),
    readPrices(tx, asked),
  ])
  return (one) => {
    const corridor = corridorOf(one)
    return {
      corridor,
      terms: terms(corridor),
      rates,
      prices: prices(one),
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
