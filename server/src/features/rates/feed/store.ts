import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { ProviderNetworkFee } from '../networks/store.ts'

/** As the provider states it: decimals as text. */
export type ProviderPrice = Readonly<{
  providerId: Id<'provider'>
  currency: string
  bid: string
  ask: string
  at: Date
  validUntil: Date
}>

const PRICE: Columns<ProviderPrice> = {
  provider_id: ['uuid', (price) => price.providerId],
  currency: ['text', (price) => price.currency],
  bid: ['numeric', (price) => price.bid],
  ask: ['numeric', (price) => price.ask],
  at: ['timestamptz', (price) => price.at],
  valid_until: ['timestamptz', (price) => price.validUntil],
}

/** One message about a price at a time, so that each is compared with the last one applied. */
export const lockPrices = (
  tx: Tx,
  providerId: Id<'provider'>,
  currencies: readonly string[],
): Promise<ProviderPrice[]> =>
  tx.many<ProviderPrice>(
    sql`select provider_id, currency, bid::text, ask::text, at, valid_until from provider_prices
        where provider_id = ${providerId} and currency = any(${currencies}::text[])
        order by currency for no key update`,
  )

/** Queued for the commit; an older price never replaces a newer one. At most one of each currency. */
export function savePrices(tx: Tx, prices: readonly ProviderPrice[]): void {
  if (prices.length === 0) return
  tx.queueWrite(
    sql`insert into provider_prices as p (provider_id, currency, bid, ask, at, valid_until)
        select * from ${given('n', PRICE, prices)} order by currency
        on conflict (provider_id, currency) do update set
          bid = excluded.bid, ask = excluded.ask, at = excluded.at, valid_until = excluded.valid_until
          where p.at < excluded.at`,
  )
}

const FEE: Columns<ProviderNetworkFee> = {
  provider_id: ['uuid', (fee) => fee.providerId],
  network: ['text', (fee) => fee.network],
  fee: ['bigint', (fee) => fee.fee],
  at: ['timestamptz', (fee) => fee.at],
  valid_until: ['timestamptz', (fee) => fee.validUntil],
}

/** Like prices. */
export function saveFees(tx: Tx, fees: readonly ProviderNetworkFee[]): void {
  if (fees.length === 0) return
  tx.queueWrite(
    sql`insert into provider_network_fees as f (provider_id, network, fee, at, valid_until)
        select * from ${given('n', FEE, fees)} order by network
        on conflict (provider_id, network) do update set
          fee = excluded.fee, at = excluded.at, valid_until = excluded.valid_until
          where f.at < excluded.at`,
  )
}
