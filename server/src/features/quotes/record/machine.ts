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
 * A quote follows its transaction: one step changes both. It has no REJECTED of its own, and before execution there
 * is nothing to cancel. Awaiting authorization it never expires (SCA-51): it fails.
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
