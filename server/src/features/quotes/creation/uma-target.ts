import { failOutOfRange } from '../../../kernel/money/amount-range.ts'
import { fail, type ApiError, type FieldError } from '../../../kernel/errors.ts'
import { multiply, parseFraction, powerOfTen, ratio } from '../../../kernel/money/fraction.ts'
import { divide, makeRate, type Rate } from '../../../kernel/money/rate.ts'
import type { RemoteInvoice } from '../../../providers/uma/uma-network.ts'
import type { QuoteReceiver } from '../../receivers/index.ts'
import type { PaymentTerms } from '../../payment-terms/index.ts'
import type { Price, RatesInForce } from '../../rates/index.ts'

/** The receiver behind a UMA address, with the invoice of a provider elsewhere. */
export type UmaTarget = QuoteReceiver &
  Readonly<{ agreed?: RemoteInvoice & Readonly<{ amount: bigint }> }>

/** The result of resolving the receiver before the quote is built. */
export type UmaLookup = Readonly<{ target?: UmaTarget; refusal?: ApiError }>

type UmaCommand = Readonly<{ uma: UmaLookup | undefined; isImmediate: boolean }>

/** Immediate execution leaves no second step in which the sender could add missing fields (QUOTE-16). */
export function umaFieldErrors({ uma, isImmediate }: UmaCommand): FieldError[] {
  const missing = uma?.target?.missingFields ?? []
  if (!isImmediate || missing.length === 0) return []
  const message = `is not possible: the receiver asks for ${missing.join(', ')} of the sender, which senderCustomerInfo can give`
  return [{ field: 'immediatelyExecute', message }]
}

/** The receiver gets all payer data that it requires (UMA-6). Fails: MISSING_MANDATORY_USER_INFO. */
export function mustHavePayerData({ uma }: UmaCommand): void {
  const missingFields = uma?.target?.missingFields ?? []
  if (missingFields.length > 0) fail('MISSING_MANDATORY_USER_INFO', { missingFields })
}

/**
 * The receiver accepts the amount (UMA-5, UMA-8). Fails: AMOUNT_OUT_OF_RANGE, the refusal of the pay request,
 * QUOTE_REQUEST_FAILED where the price has moved since a provider elsewhere made its invoice.
 */
export function mustBeAcceptedByReceiver({ uma }: UmaCommand, { receiving }: Price): void {
  const target = uma?.target
  if (!target) return
  const { min, max } = target.range
  if (receiving.amount < min || receiving.amount > max) {
    failOutOfRange({ minimum: min, maximum: max, currency: receiving.currency })
  }
  if (target.quoteRefusal) fail(target.quoteRefusal)
  if (target.agreed && target.agreed.amount !== receiving.amount) fail('QUOTE_REQUEST_FAILED')
}

/** A quote expires with the invoice that it is paid by. */
export function expiryWith({ uma }: Pick<UmaCommand, 'uma'>, expiresAt: Date): Date {
  const invoiceExpiry = uma?.target?.agreed?.expiresAt
  return invoiceExpiry && invoiceExpiry < expiresAt ? invoiceExpiry : expiresAt
}

const MILLISATS_PER_SAT_DIGITS = 3

/** A provider elsewhere sets the bitcoin price of its currency itself; all other prices are ours. */
export function ratesOfReceiver(
  { uma }: UmaCommand,
  { rates, corridor }: Pick<PaymentTerms, 'rates' | 'corridor'>,
): RatesInForce {
  const target = uma?.target
  if (!target?.remote) return rates
  const throughBitcoin = { ...corridor, receiving: 'BTC' }
  return {
    ...rates,
    rateOf: () => remoteRate(target, rates.rateOf(throughBitcoin)),
    missingOf: () => rates.missingOf(throughBitcoin),
  }
}

/** The cost of an amount at the rate of the receiver's provider. */
export function millisatsFor({ currency, remote }: UmaTarget, amount: bigint): bigint {
  const offered = remote?.currencies.find((one) => one.currency === currency)
  const { numerator, denominator } = parseFraction(offered?.millisatsPerUnit ?? '0')
  return divide({ numerator: amount * numerator, denominator }, 'up')
}

function remoteRate(
  { currency: to, remote }: UmaTarget,
  bitcoin: Rate | undefined,
): Rate | undefined {
  const offered = remote?.currencies.find(({ currency }) => currency === to)
  if (!bitcoin || !offered) return undefined
  const millisats = multiply(bitcoin, powerOfTen(MILLISATS_PER_SAT_DIGITS))
  const perUnit = parseFraction(offered.millisatsPerUnit)
  if (perUnit.numerator === 0n) return undefined
  return makeRate({ from: bitcoin.from, to, ...ratio({ of: millisats, to: perUnit }) })
}
