import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overrideErrors } from './platform-fee-override.ts'

const fee = { fixed: 50n, bps: 30n, fixedCurrency: 'USD' }
const whole = 'platformFeeOverride'
const currency = 'platformFeeOverride.platformFixedFee.currency'

const OVERRIDES = [
  [fee, 'USD', 'EUR', [], 'a fee across currencies'],
  [{ ...fee, fixed: 0n, bps: 0n }, 'USD', 'EUR', [], 'a waiver'],
  [{ ...fee, fixedCurrency: 'EUR' }, 'USD', 'EUR', [currency], 'a fixed fee in another currency'],
  [{ ...fee, fixedCurrency: 'EUR' }, 'EUR', 'USD', [whole], 'not sent in USD'],
  [fee, 'EUR', 'USD', [whole, currency], 'not sent in USD, and in another currency'],
  [fee, 'USD', 'USD', [whole], 'a fee within one currency'],
  [{ ...fee, fixed: 0n }, 'USD', 'USD', [whole], 'a rate within one currency'],
  [{ ...fee, fixed: 0n, bps: 0n }, 'USD', 'USD', [], 'a waiver of what is not charged'],
] as const

for (const [override, sending, receiving, fields, because] of OVERRIDES) {
  test(`FEE-4 an override on ${sending}→${receiving}: ${because}`, () => {
    const errors = overrideErrors({ override, sending, receiving })
    assert.deepEqual(
      errors.map((error) => error.field),
      fields,
    )
  })
}
