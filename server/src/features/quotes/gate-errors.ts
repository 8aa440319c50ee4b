import type { ErrorCode } from '../../kernel/errors.ts'
import { REMOTE_ERRORS } from '../receivers/index.ts'

/** What may refuse a payment whatever it is made of: its payer, its receiver, its amount. */
export const GATE_ERRORS: readonly ErrorCode[] = [
  'USER_NOT_FOUND',
  'USER_NOT_READY',
  'END_USER_TERMS_NOT_ACCEPTED',
  'MISSING_MANDATORY_USER_INFO',
  'INVALID_CURRENCY',
  'INVALID_BANK_ACCOUNT',
  'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
]

/** What a UMA receiver may add. */
export const UMA_ERRORS: readonly ErrorCode[] = [
  ...REMOTE_ERRORS,
  'LOOKUP_REQUEST_NOT_FOUND',
  'INVALID_RECEIVER',
  'MISSING_MANDATORY_USER_INFO',
  'PAYREQ_REQUEST_FAILED',
  'PARSE_PAYREQ_RESPONSE_ERROR',
  'INVALID_PAYREQ_RESPONSE',
  'SENDER_NOT_ACCEPTED',
]
