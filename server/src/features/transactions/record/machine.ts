import { defineMachine } from '../../../kernel/machine.ts'

export type OutgoingStatus =
  | 'PENDING'
  | 'PENDING_AUTHORIZATION'
  | 'PROCESSING'
  | 'COMPLETED'
  | 'REJECTED'
  | 'FAILED'
  | 'EXPIRED'

export type OutgoingEvent =
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
 * A payment out, of a quote, which follows it, or of a transfer, which is debited when it starts PENDING. The next step
 * of an authorization keeps the status. COMPLETED is not final: the receiving bank may return the payment.
 */
export const outgoing = defineMachine<OutgoingStatus, OutgoingEvent>({
  name: 'outgoing transaction',
  initial: 'PENDING',
  table: {
    PENDING: {
      requireAuthorization: 'PENDING_AUTHORIZATION',
      process: 'PROCESSING',
      fail: 'FAILED',
      cancel: 'FAILED',
      reject: 'REJECTED',
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
    REJECTED: {},
    FAILED: {},
    EXPIRED: {},
  },
  refusals: {
    cancel: 'TRANSACTION_NOT_CANCELLABLE',
    reject: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
  },
})

export type IncomingStatus =
  | 'PENDING'
  | 'PROCESSING'
  | 'COMPLETED'
  | 'REJECTED'
  | 'FAILED'
  | 'EXPIRED'

export type IncomingEvent =
  | 'approve'
  | 'reject'
  | 'process'
  | 'complete'
  | 'fail'
  | 'cancel'
  | 'expire'
  | 'reverse'

/**
 * A payment in. A UMA payment waits for the platform's approval; a transfer-in for its pull; a held deposit for its
 * review. Deposits and receipts of internal payments start COMPLETED, payments that compliance stops start FAILED, and
 * an agent's undecided transfer-in expires. COMPLETED is not final: a provider may reverse the whole payment.
 */
export const incoming = defineMachine<IncomingStatus, IncomingEvent>({
  name: 'incoming transaction',
  initial: 'PENDING',
  alsoInitial: ['COMPLETED', 'FAILED'],
  table: {
    PENDING: {
      approve: 'COMPLETED',
      reject: 'REJECTED',
      process: 'PROCESSING',
      complete: 'COMPLETED',
      fail: 'FAILED',
      cancel: 'FAILED',
      expire: 'EXPIRED',
    },
    PROCESSING: { complete: 'COMPLETED', fail: 'FAILED', cancel: 'FAILED' },
    COMPLETED: { reverse: 'FAILED' },
    REJECTED: {},
    FAILED: {},
    EXPIRED: {},
  },
  refusals: {
    approve: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
    reject: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
    cancel: 'TRANSACTION_NOT_CANCELLABLE',
  },
})

export type RefundStatus = 'PENDING' | 'COMPLETED' | 'FAILED'
export type RefundEvent = 'complete' | 'fail' | 'retry' | 'return'

/** The refund of a FAILED transaction, whose own status stays. The operator's retry either completes or throws. */
export const refund = defineMachine<RefundStatus, RefundEvent>({
  name: 'refund',
  initial: 'PENDING',
  table: {
    PENDING: { complete: 'COMPLETED', fail: 'FAILED' },
    FAILED: { retry: 'COMPLETED' },
    COMPLETED: { return: 'FAILED' },
  },
})
