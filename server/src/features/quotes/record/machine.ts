import { defineMachine } from '../../../kernel/machine.ts'

export const QUOTE_STATUSES = [
  'PENDING',
  'PENDING_AUTHORIZATION',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
] as const
export type QuoteStatus = (typeof QUOTE_STATUSES)[number]

export type QuoteEvent =
  | 'requireAuthorization'
  | 'awaitFunds'
  | 'process'
  | 'complete'
  | 'return'
  | 'fail'
  | 'cancel'
  | 'reject'
  | 'expire'

/**
 * A quote follows its transaction: one step changes both. A quote has no REJECTED, and cannot be cancelled before its
 * execution. While it awaits authorization it does not expire but fails (SCA-51).
 */
export const quote = defineMachine<QuoteStatus, QuoteEvent>({
  name: 'quote',
  initial: 'PENDING',
  table: {
    PENDING: {
      requireAuthorization: 'PENDING_AUTHORIZATION',
      process: 'PROCESSING',
      fail: 'FAILED',
      reject: 'FAILED',
      expire: 'EXPIRED',
    },
    PENDING_AUTHORIZATION: {
      requireAuthorization: 'PENDING_AUTHORIZATION',
      awaitFunds: 'PENDING',
      process: 'PROCESSING',
      fail: 'FAILED',
    },
    PROCESSING: { complete: 'COMPLETED', fail: 'FAILED', cancel: 'FAILED' },
    COMPLETED: { return: 'FAILED' },
    FAILED: {},
    EXPIRED: {},
  },
  refusals: {
    requireAuthorization: 'CONFLICT',
    process: 'CONFLICT',
    cancel: 'TRANSACTION_NOT_CANCELLABLE',
    reject: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
  },
})
