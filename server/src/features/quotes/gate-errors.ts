import type { ErrorCode } from '../../kernel/errors.ts'
import { REMOTE_ERRORS } from '../receivers/index.ts'

/** Codes that may refuse any payment, because of its payer, its receiver or its amount. */
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

/** Codes of an execution, because of its signature, the quote's state or the payer's session. */
export const EXECUTION_ERRORS: readonly ErrorCode[] = [
  'WALLET_SIGNATURE_MISSING',
  'WALLET_SIGNATURE_MALFORMED',
  'WALLET_SIGNATURE_BODY_MISMATCH',
  'WALLET_SIGNATURE_INVALID',
  'QUOTE_NOT_FOUND',
  'QUOTE_EXPIRED',
  'CONFLICT',
  'SCA_SESSION_REQUIRED',
]

/** Further codes of a payment to a UMA address. */
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
