/** The sources and external accounts that a mint or burn may use (STBL-11 to STBL-15). */
import type { FieldError } from '../../../kernel/errors.ts'
import type { IssuerBankAccount } from '../../../providers/stablecoin-issuer.ts'
import type { ExternalAccount } from '../../external-accounts/index.ts'
import { BURN_SOURCE_TYPES, FUNDING_SOURCE_TYPES } from './stablecoin-operation.ts'

type CheckedAccount = Pick<ExternalAccount, 'accountType' | 'currency' | 'paymentRails' | 'status'>

/** A bank account must be active and in the coin's base currency. */
export function checkBankAccount(
  account: CheckedAccount,
  { field, currency }: { field: string; currency: string },
): FieldError[] {
  const isAtBank = account.paymentRails.some((rail) => rail !== 'MOBILE_MONEY')
  if (!isAtBank) return [{ field, message: 'is not a bank account' }]
  if (account.currency !== currency) return [{ field, message: `is not in ${currency}` }]
  return checkActive(account, field)
}

export function checkSparkWallet(account: CheckedAccount, field: string): FieldError[] {
  if (account.accountType !== 'SPARK_WALLET') return [{ field, message: 'is not a Spark wallet' }]
  return checkActive(account, field)
}

const checkActive = ({ status }: CheckedAccount, field: string): FieldError[] =>
  status === 'ACTIVE' ? [] : [{ field, message: `is not active: ${status}` }]

export function toIssuerAccount(account: ExternalAccount): IssuerBankAccount {
  const { accountType, accountInfo, identifiedBy } = account
  return { accountType, identifier: String(accountInfo[identifiedBy] ?? ''), details: accountInfo }
}

/** Refuses sources of a mint that the API names but reserves (STBL-11). Accepts unvalidated input; never throws. */
export const checkFundingSource = (body: unknown): FieldError[] =>
  checkType(body, {
    part: 'fundingSource',
    reserved: ['SERVICE_INTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE'],
    allowed: FUNDING_SOURCE_TYPES,
  })

/** Refuses reserved sources of a burn (STBL-14). Accepts unvalidated input; never throws. */
export const checkBurnSource = (body: unknown): FieldError[] =>
  checkType(body, {
    part: 'source',
    reserved: ['SERVICE_INTERNAL_ACCOUNT'],
    allowed: BURN_SOURCE_TYPES,
  })

type Types = Readonly<{ part: string; reserved: readonly string[]; allowed: readonly string[] }>

function checkType(body: unknown, { part, reserved, allowed }: Types): FieldError[] {
  const source = (body as Record<string, unknown> | null)?.[part]
  const type = (source as { type?: unknown } | null | undefined)?.type
  if (typeof type !== 'string' || !reserved.includes(type)) return []
  return [
    {
      field: `${part}.type`,
      constraint: { enum: allowed },
      message: `must be one of ${allowed.join(', ')}; ${type} is reserved`,
    },
  ]
}
