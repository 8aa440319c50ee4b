import type { FieldError } from '../../../kernel/errors.ts'
import type { FeeRate } from '../../rates/index.ts'

/** A platform's fee for one quote in place of the configured one; 0 and 0 waives it. */
export type PlatformFeeOverride = FeeRate & Readonly<{ fixedCurrency: string }>

/** The one sending currency an override is offered in. */
const OVERRIDE_CURRENCY = 'USD'

/** Errors of an override that depend on the quote's currencies; the schema checks all others (FEE-4). */
export function overrideErrors({
  override,
  sending,
  receiving,
}: {
  override: PlatformFeeOverride
  sending: string
  receiving: string
}): FieldError[] {
  const errors: FieldError[] = []
  if (sending !== OVERRIDE_CURRENCY) {
    errors.push({
      field: 'platformFeeOverride',
      message: `An override is possible only where the sending currency is ${OVERRIDE_CURRENCY}.`,
    })
  }
  if (override.fixedCurrency !== sending) {
    errors.push({
      field: 'platformFeeOverride.platformFixedFee.currency',
      constraint: { enum: [sending] },
      message: 'The fixed fee is in the sending currency.',
    })
  }
  if (sending === receiving && (override.fixed > 0n || override.bps > 0n)) {
    errors.push({
      field: 'platformFeeOverride',
      message: 'A quote within one currency carries no platform fee.',
    })
  }
  return errors
}
