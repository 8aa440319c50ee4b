import { defineMachine } from '../../../kernel/machine.ts'

export type ResetStatus =
  | 'INITIATED'
  | 'PENDING_REVIEW'
  | 'LIVENESS_PASSED'
  | 'COMPLETED'
  | 'REJECTED'
  | 'EXPIRED'

export type ResetEvent = 'submit' | 'pass' | 'reject' | 'complete' | 'expire'

/** A reset of a lost factor: the customer passes a liveness check, which an operator reviews. */
export const scaReset = defineMachine<ResetStatus, ResetEvent>({
  name: 'SCA reset',
  initial: 'INITIATED',
  table: {
    INITIATED: { submit: 'PENDING_REVIEW', expire: 'EXPIRED' },
    PENDING_REVIEW: { pass: 'LIVENESS_PASSED', reject: 'REJECTED', expire: 'EXPIRED' },
    LIVENESS_PASSED: { complete: 'COMPLETED', expire: 'EXPIRED' },
    COMPLETED: {},
    REJECTED: {},
    EXPIRED: {},
  },
  refusals: { submit: 'CONFLICT', pass: 'CONFLICT', reject: 'CONFLICT', complete: 'INVALID_INPUT' },
})
