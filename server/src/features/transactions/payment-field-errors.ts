import type { FieldError } from '../../kernel/errors.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { ReceivingSide } from './payment-sides.ts'

type AskedPayment = Readonly<{
  platform: Pick<Platform, 'environment' | 'strictIdentifiers'>
  receiving: ReceivingSide
  paymentRail: string | undefined
  purposeOfPayment: string | null
}>

/** QUOTE-8, QUOTE-22: what is wrong with a request in view of the account that it pays. */
export function paymentFieldErrors(asked: AskedPayment): FieldError[] {
  const { platform, receiving, paymentRail, purposeOfPayment } = asked
  const errors: FieldError[] = []
  const rails = receiving.kind === 'external' ? receiving.account.paymentRails : []
  if (paymentRail !== undefined && !rails.includes(paymentRail)) {
    errors.push({
      field: 'destination.paymentRail',
      ...(rails.length > 0 && { constraint: { enum: rails } }),
      message: rails.length > 0 ? 'must be a rail of the account' : 'the account is paid over none',
    })
  }
  const isStrict = platform.environment === 'PRODUCTION' || platform.strictIdentifiers
  const isRupees = receiving.kind === 'external' && receiving.account.accountType === 'INR_ACCOUNT'
  if (isStrict && isRupees && purposeOfPayment === null) {
    errors.push({ field: 'purposeOfPayment', message: 'is required for this account' })
  }
  return errors
}
