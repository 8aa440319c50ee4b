/** Which external accounts a mint or burn may use, and what the provider is told of them (STBL-12, STBL-13). */
import type { FieldError } from '../../../kernel/errors.ts'
import type { IssuerBankAccount } from '../../../providers/stablecoin-issuer.ts'
import type { ExternalAccount } from '../../external-accounts/index.ts'

type Judged = Pick<ExternalAccount, 'accountType' | 'currency' | 'paymentRails' | 'status'>

/** An active account in the coin's base currency that a bank keeps. */
export function checkBankAccount(
  account: Judged,
  { field, currency }: { field: string; currency: string },
): FieldError[] {
  const isAtBank = account.paymentRails.some((rail) => rail !== 'MOBILE_MONEY')
  if (!isAtBank) return [{ field, message: 'is not a bank account' }]
  if (account.currency !== currency) return [{ field, message: `is not in ${currency}` }]
  return checkActive(account, field)
}

export function checkSparkWallet(account: Judged, field: string): FieldError[] {
  if (account.accountType !== 'SPARK_WALLET') return [{ field, message: 'is not a Spark wallet' }]
  return checkActive(account, field)
}

const checkActive = ({ status }: Judged, field: string): FieldError[] =>
  status === 'ACTIVE' ? [] : [{ field, message: `is not active: ${status}` }]

export function toIssuerAccount(account: ExternalAccount): IssuerBankAccount {
  const { accountType, accountInfo, identifiedBy } = account
  return { accountType, identifier: String(accountInfo[identifiedBy] ?? ''), details: accountInfo }
}
