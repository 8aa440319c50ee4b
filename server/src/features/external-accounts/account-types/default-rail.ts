import { ACCOUNT_TYPES, currenciesOf } from './table.ts'

/** A type of the currency's own country comes before what takes money of every country. */
const byPlace = [
  ...ACCOUNT_TYPES.filter(({ currencies }) => currencies !== 'any-fiat'),
  ...ACCOUNT_TYPES.filter(({ currencies }) => currencies === 'any-fiat'),
]

/** The currencies in which there can be an external account at all. */
export const PAYOUT_CURRENCIES: readonly string[] = [
  ...new Set(ACCOUNT_TYPES.flatMap(currenciesOf)),
].toSorted()

/** The rail over which a currency is paid out unless an account or a request says otherwise; coins have none. */
export function defaultRailOf(currency: string): string | undefined {
  return byPlace.find((type) => currenciesOf(type).includes(currency))?.rails[0]
}
