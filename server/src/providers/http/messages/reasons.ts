// data table
/** Why a provider refuses or fails an order (PROV-49). Any other text counts as `OTHER`. */
export const REFUSAL_REASONS = [
  'ACCOUNT_INVALID',
  'NAME_MISMATCH',
  'ACCOUNT_CLOSED',
  'ACCOUNT_CANNOT_RECEIVE',
  'COMPLIANCE',
  'LIMIT_EXCEEDED',
  'LIGHTNING_FAILED',
  'RAIL_UNAVAILABLE',
  'INSUFFICIENT_FUNDS',
  'MANDATE_MISSING',
  'UNSUPPORTED',
  'INVALID_ORDER',
  'CANCELLED',
  'DEADLINE_PASSED',
  'TEST_NOT_SUPPORTED',
  'OTHER',
] as const

export type RefusalReason = (typeof REFUSAL_REASONS)[number]
