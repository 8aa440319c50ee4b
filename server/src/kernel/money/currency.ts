/** The catalogue of currencies. Decimals are those of ISO 4217 for fiat, and of the smallest unit for crypto. */
import { invariant } from '../invariant.ts'

export type CurrencyKind = 'fiat' | 'crypto'

export type Currency = Readonly<{
  code: string
  name: string
  symbol: string
  decimals: number
  kind: CurrencyKind
}>

type Row = readonly [
  code: string,
  name: string,
  symbol: string,
  decimals: number,
  kind: CurrencyKind,
]

const ROWS: readonly Row[] = [
  ['USD', 'United States Dollar', '$', 2, 'fiat'],
  ['EUR', 'Euro', '€', 2, 'fiat'],
  ['GBP', 'British Pound', '£', 2, 'fiat'],
  ['MXN', 'Mexican Peso', '$', 2, 'fiat'],
  ['BRL', 'Brazilian Real', 'R$', 2, 'fiat'],
  ['INR', 'Indian Rupee', '₹', 2, 'fiat'],
  ['PHP', 'Philippine Peso', '₱', 2, 'fiat'],
  ['NGN', 'Nigerian Naira', '₦', 2, 'fiat'],
  ['KES', 'Kenyan Shilling', 'KSh', 2, 'fiat'],
  ['ZAR', 'South African Rand', 'R', 2, 'fiat'],
  ['CAD', 'Canadian Dollar', '$', 2, 'fiat'],
  ['AUD', 'Australian Dollar', '$', 2, 'fiat'],
  ['JPY', 'Japanese Yen', '¥', 0, 'fiat'],
  ['SGD', 'Singapore Dollar', '$', 2, 'fiat'],
  ['HKD', 'Hong Kong Dollar', '$', 2, 'fiat'],
  ['AED', 'United Arab Emirates Dirham', 'د.إ', 2, 'fiat'],
  ['COP', 'Colombian Peso', '$', 2, 'fiat'],
  ['CNY', 'Chinese Yuan', '¥', 2, 'fiat'],
  ['IDR', 'Indonesian Rupiah', 'Rp', 2, 'fiat'],
  ['THB', 'Thai Baht', '฿', 2, 'fiat'],
  ['VND', 'Vietnamese Dong', '₫', 0, 'fiat'],
  ['KRW', 'South Korean Won', '₩', 0, 'fiat'],
  ['PKR', 'Pakistani Rupee', '₨', 2, 'fiat'],
  ['BDT', 'Bangladeshi Taka', '৳', 2, 'fiat'],
  ['EGP', 'Egyptian Pound', 'E£', 2, 'fiat'],
  ['GHS', 'Ghanaian Cedi', '₵', 2, 'fiat'],
  ['TZS', 'Tanzanian Shilling', 'TSh', 2, 'fiat'],
  ['UGX', 'Ugandan Shilling', 'USh', 0, 'fiat'],
  ['ZMW', 'Zambian Kwacha', 'K', 2, 'fiat'],
  ['MWK', 'Malawian Kwacha', 'MK', 2, 'fiat'],
  ['BWP', 'Botswana Pula', 'P', 2, 'fiat'],
  ['RWF', 'Rwandan Franc', 'FRw', 0, 'fiat'],
  ['XOF', 'West African CFA Franc', 'CFA', 0, 'fiat'],
  ['XAF', 'Central African CFA Franc', 'FCFA', 0, 'fiat'],
  ['HTG', 'Haitian Gourde', 'G', 2, 'fiat'],
  ['JMD', 'Jamaican Dollar', '$', 2, 'fiat'],
  ['GTQ', 'Guatemalan Quetzal', 'Q', 2, 'fiat'],
  ['ARS', 'Argentine Peso', '$', 2, 'fiat'],
  ['DKK', 'Danish Krone', 'kr', 2, 'fiat'],
  ['SEK', 'Swedish Krona', 'kr', 2, 'fiat'],
  ['NOK', 'Norwegian Krone', 'kr', 2, 'fiat'],
  ['CHF', 'Swiss Franc', 'CHF', 2, 'fiat'],
  ['PLN', 'Polish Zloty', 'zł', 2, 'fiat'],
  ['CZK', 'Czech Koruna', 'Kč', 2, 'fiat'],
  ['HUF', 'Hungarian Forint', 'Ft', 2, 'fiat'],
  ['RON', 'Romanian Leu', 'lei', 2, 'fiat'],
  ['ILS', 'Israeli New Shekel', '₪', 2, 'fiat'],
  ['TRY', 'Turkish Lira', '₺', 2, 'fiat'],
  ['MYR', 'Malaysian Ringgit', 'RM', 2, 'fiat'],
  ['LKR', 'Sri Lankan Rupee', 'Rs', 2, 'fiat'],
  ['NPR', 'Nepalese Rupee', 'रू', 2, 'fiat'],
  ['USDC', 'USD Coin', 'USDC', 6, 'crypto'],
  ['USDT', 'Tether USD', 'USDT', 6, 'crypto'],
  ['USDB', 'USDB', 'USDB', 6, 'crypto'],
  ['BTC', 'Bitcoin', '₿', 8, 'crypto'],
]

export const CURRENCIES: readonly Currency[] = Object.freeze(
  ROWS.map(([code, name, symbol, decimals, kind]) =>
    Object.freeze({ code, name, symbol, decimals, kind }),
  ),
)

const BY_CODE: ReadonlyMap<string, Currency> = new Map(
  CURRENCIES.map((currency) => [currency.code, currency]),
)

export function findCurrency(code: string): Currency | undefined {
  return BY_CODE.get(code)
}

/** For codes that passed validation or come from our own tables. */
export function currencyOf(code: string): Currency {
  const currency = BY_CODE.get(code)
  invariant(currency, `The currency ${code} is not in the catalogue.`)
  return currency
}

export function isCurrencyCode(code: string): boolean {
  return BY_CODE.has(code)
}

export function isCrypto(code: string): boolean {
  return currencyOf(code).kind === 'crypto'
}
