import type { ErrorCode } from '../../kernel/errors.ts'

/** What may refuse a payment whatever it is made of: its payer, its receiver, its amount. */
export const GATE_ERRORS: readonly ErrorCode[] = [
  'USER_NOT_FOUND',
  'USER_NOT_READY',
  'END_USER_TERMS_NOT_ACCEPTED',
  'INVALID_BANK_ACCOUNT',
  'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
]
