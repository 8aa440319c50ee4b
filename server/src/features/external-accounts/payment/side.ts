/** Whether an external account may be a side of a payment, for quotes and transfers. */
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { Provider } from '../../../kernel/ports.ts'
import { convert } from '../../../kernel/money/rate.ts'
import { isNetwork, midRate, type NetworkName, type Prices } from '../../rates/index.ts'
import type { PaymentAccount } from '../external-account.ts'
import { paymentRefusal, UNPROVEN_PAYMENT_MAX_EUR_CENTS } from '../ownership/rules.ts'

type Side = Readonly<{
  account: Pick<PaymentAccount, 'status' | 'deletedAt' | 'isOwnerDeleted'>
  /** The amount received, in its own currency. */
  received: Money
  prices: Prices
}>

/**
 * Refuses an account that cannot be a side of this payment now: it or its customer was deleted (EACC-14, CUST-69), it
 * is not ACTIVE (EACC-17), or its ownership is unproven and the payment is not small (OWN-8).
 */
export function paymentSideRefusal({ account, received, prices }: Side): Refusal | undefined {
  if (isClosed(account)) return refuse('CONFLICT', { reason: 'DESTINATION_DELETED' })
  const { status } = account
  if (status === 'ACTIVE') return undefined
  const refusal = paymentRefusal({ status, amountEurCents: inEurCents(received, prices) })
  return refusal && { ok: false, ...refusal }
}

/** Whether an account or its customer is deleted, which is never undone. */
export const isClosed = ({
  deletedAt,
  isOwnerDeleted,
}: Pick<PaymentAccount, 'deletedAt' | 'isOwnerDeleted'>): boolean =>
  deletedAt !== null || isOwnerDeleted

/** At the mid rate, rounded up to the cent. An amount without a price counts as above the limit. */
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

/** An account is trusted by its own customer only; another customer's proof does not count for a payer (TRUST-10). */
export const isTrustedBy = (
  { isTrusted, customerId }: Pick<PaymentAccount, 'isTrusted' | 'customerId'>,
  payerId: Id<'customer'>,
): boolean => isTrusted && customerId === payerId

const PULLABLE_BY = ['accountNumber', 'iban', 'clabeNumber', 'pixKey']

type PullSource = Pick<PaymentAccount, 'accountType' | 'identifiedBy'>

/** Whether the provider of the account's rail pulls from such accounts (QUOTE-3, PROV-51). */
export const pullRefusal = (account: PullSource, provider: PullingProvider): Refusal | undefined =>
  mayPullFrom(account, provider)
    ? undefined
    : refuse('INVALID_BANK_ACCOUNT', { reason: 'NOT_PULLABLE' })

type PullingProvider = Pick<Provider, 'kind' | 'config'> | undefined

/** A provider outside declares the types, the operator pulls by ACH, the sandbox from every domestic bank account. */
function mayPullFrom(
  { accountType, identifiedBy }: PullSource,
  provider: PullingProvider,
): boolean {
  if (provider?.kind === 'http') {
    const { pull = [] } = provider.config as { pull?: readonly string[] }
    return pull.includes(accountType)
  }
  if (accountType === 'USD_ACCOUNT' || provider?.kind !== 'sandbox')
    return accountType === 'USD_ACCOUNT'
  const isDomestic = accountType.endsWith('_ACCOUNT') && accountType !== 'SWIFT_ACCOUNT'
  return isDomestic && PULLABLE_BY.includes(identifiedBy)
}

/** The chain that a wallet or a Lightning account is on; undefined for fiat. */
export function networkOf({
  accountType,
}: Pick<PaymentAccount, 'accountType'>): NetworkName | undefined {
  const name = accountType.replace(/_WALLET$/, '')
  return isNetwork(name) ? name : undefined
}
