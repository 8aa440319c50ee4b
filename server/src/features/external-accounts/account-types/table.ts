/** Every type of external account (chapter 30, section 5), one row each. */
import { CURRENCIES } from '../../../kernel/money/currency.ts'
import { BANK_ACCOUNT_TYPES } from './bank.ts'
import { MOBILE_ACCOUNT_TYPES } from './mobile.ts'
import type { AccountType } from './shape.ts'
import { WALLET_TYPES } from './wallet.ts'

export const ACCOUNT_TYPES: readonly AccountType[] = [
  ...BANK_ACCOUNT_TYPES,
  ...MOBILE_ACCOUNT_TYPES,
  ...WALLET_TYPES,
]

/** The names of the contract, without the aliases that requests may use. */
export const ACCOUNT_TYPE_NAMES: readonly string[] = ACCOUNT_TYPES.map(
  ({ accountType }) => accountType,
)

const BY_NAME = new Map<unknown, AccountType>(
  ACCOUNT_TYPES.flatMap((type) =>
    [type.accountType, ...(type.aliases ?? [])].map((name) => [name, type] as const),
  ),
)

/** Finds a type by its name or an alias. */
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

/** Ownership and the travel rule apply to `…_WALLET` types only. */
export function isWalletType(accountType: string): boolean {
  return findAccountType(accountType)?.kind === 'wallet'
}

/** Types of one country come before types that take every currency. */
const NATIONAL_FIRST = [
  ...ACCOUNT_TYPES.filter(({ currencies }) => currencies !== 'any-fiat'),
  ...ACCOUNT_TYPES.filter(({ currencies }) => currencies === 'any-fiat'),
]

/** Every currency that an external account can have. */
export const PAYOUT_CURRENCIES: readonly string[] = [
  ...new Set(ACCOUNT_TYPES.flatMap(currenciesOf)),
].toSorted()

/** The rail of payouts in a currency unless an account or a request names another; coins have none. */
export function defaultRailOf(currency: string): string | undefined {
  return NATIONAL_FIRST.find((type) => currenciesOf(type).includes(currency))?.rails[0]
}
