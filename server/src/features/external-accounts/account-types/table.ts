/** Every type of external account (chapter 30, section 5), one row each. */
import { CURRENCIES } from '../../../kernel/currency.ts'
import { BANK_ACCOUNT_TYPES } from './bank.ts'
import { MOBILE_ACCOUNT_TYPES } from './mobile.ts'
import type { AccountType } from './shape.ts'
import { WALLET_TYPES } from './wallet.ts'

export const ACCOUNT_TYPES: readonly AccountType[] = [
  ...BANK_ACCOUNT_TYPES,
  ...MOBILE_ACCOUNT_TYPES,
  ...WALLET_TYPES,
]

/** The names of the contract, without the aliases taken on input. */
export const ACCOUNT_TYPE_NAMES: readonly string[] = ACCOUNT_TYPES.map(
  ({ accountType }) => accountType,
)

const BY_NAME = new Map<unknown, AccountType>(
  ACCOUNT_TYPES.flatMap((type) =>
    [type.accountType, ...(type.aliases ?? [])].map((name) => [name, type] as const),
  ),
)

/** By name or input alias. */
export function findAccountType(name: unknown): AccountType | undefined {
  return BY_NAME.get(name)
}

const FIAT_CODES: readonly string[] = CURRENCIES.filter(({ kind }) => kind === 'fiat').map(
  ({ code }) => code,
)

/** The currencies an account of this type may be held in (EACC-1). */
export function currenciesOf(type: AccountType): readonly string[] {
  return type.currencies === 'any-fiat' ? FIAT_CODES : type.currencies
}

/** `…_WALLET` types: the ones that ownership and the travel rule are about. */
export function isWalletType(accountType: string): boolean {
  return findAccountType(accountType)?.kind === 'wallet'
}

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
