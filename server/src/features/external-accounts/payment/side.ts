/** What an external account may be in a payment: for quotes and transfers. */
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money.ts'
import type { Environment } from '../../../kernel/platform.ts'
import { convert } from '../../../kernel/rate.ts'
import { isNetwork, midRate, type NetworkName, type Prices } from '../../rates/index.ts'
import type { PaymentAccount } from '../external-account.ts'
import { paymentRefusal, UNPROVEN_PAYMENT_MAX_EUR_CENTS } from '../ownership/rules.ts'

type Side = Readonly<{
  account: Pick<PaymentAccount, 'status' | 'deletedAt' | 'isOwnerDeleted'>
  /** What is received, in whatever currency. */
  received: Money
  prices: Prices
}>

/**
 * Why the account cannot be a side of this payment now, if it cannot: deleted since the quote was made, or its customer
 * was (EACC-14, CUST-69), not ACTIVE (EACC-17), not proven to be its holder's and the payment not small (OWN-8).
 */
export function paymentSideRefusal({ account, received, prices }: Side): Refusal | undefined {
  if (isClosed(account)) return refuse('CONFLICT', { reason: 'DESTINATION_DELETED' })
  const { status } = account
  if (status === 'ACTIVE') return undefined
  const refusal = paymentRefusal({ status, amountEurCents: inEurCents(received, prices) })
  return refusal && { ok: false, ...refusal }
}

/** Whether an account, or the customer who owns it, is deleted: neither is ever undone. */
export const isClosed = ({
  deletedAt,
  isOwnerDeleted,
}: Pick<PaymentAccount, 'deletedAt' | 'isOwnerDeleted'>): boolean =>
  deletedAt !== null || isOwnerDeleted

/** At the mid rate, rounded up to the cent. What has no price cannot be shown to be small. */
function inEurCents(received: Money, prices: Prices): bigint {
  const rate = midRate({ sending: received.currency, receiving: 'EUR', prices })
  return rate ? convert(received, rate, 'up').amount : UNPROVEN_PAYMENT_MAX_EUR_CENTS + 1n
}

type Lock = Readonly<{ side: 'SENDING' | 'RECEIVING'; amount: bigint }>

/** An invoice that states an amount is paid exactly that (EACC-18). */
export function invoiceRefusal(
  { invoiceAmount }: Pick<PaymentAccount, 'invoiceAmount'>,
  lock: Lock,
): Refusal | undefined {
  if (invoiceAmount === null) return undefined
  if (lock.side === 'RECEIVING' && lock.amount === invoiceAmount) return undefined
  return refuse('INVALID_AMOUNT')
}

/**
 * Who trusts an account is the customer that has it; what another customer proved says nothing of a payer (TRUST-10).
 */
export const isTrustedBy = (
  { isTrusted, customerId }: Pick<PaymentAccount, 'isTrusted' | 'customerId'>,
  payerId: Id<'customer'>,
): boolean => isTrusted && customerId === payerId

const PULLABLE_BY = ['accountNumber', 'iban', 'clabeNumber', 'pixKey']

type Pulled = Pick<PaymentAccount, 'accountType' | 'identifiedBy'>

/** ACH is the one rail that pulls; the sandbox lets every account of a bank at home be pulled from (QUOTE-3). */
export function pullRefusal(account: Pulled, environment: Environment): Refusal | undefined {
  const { accountType, identifiedBy } = account
  const isBankAtHome =
    accountType.endsWith('_ACCOUNT') &&
    accountType !== 'SWIFT_ACCOUNT' &&
    PULLABLE_BY.includes(identifiedBy)
  const isPullable = accountType === 'USD_ACCOUNT' || (environment === 'SANDBOX' && isBankAtHome)
  return isPullable ? undefined : refuse('INVALID_BANK_ACCOUNT', { reason: 'NOT_PULLABLE' })
}

/** The chain that a wallet or a Lightning account is on; undefined for fiat. */
export function networkOf({
  accountType,
}: Pick<PaymentAccount, 'accountType'>): NetworkName | undefined {
  const name = accountType.replace(/_WALLET$/, '')
  return isNetwork(name) ? name : undefined
}
