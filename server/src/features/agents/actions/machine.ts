import { defineMachine } from '../../../kernel/machine.ts'
import type { ActionStatus } from './action.ts'

export type ActionEvent = 'approve' | 'reject' | 'fail' | 'expire'

/**
 * An action begins pending, or where its policy needs nobody's word as what came of it. Whatever ends it, ends it for
 * good.
 */
export const agentAction = defineMachine<ActionStatus, ActionEvent>({
  name: 'agent action',
  initial: 'PENDING_APPROVAL',
  alsoInitial: ['APPROVED', 'FAILED'],
  table: {
    PENDING_APPROVAL: {
      approve: 'APPROVED',
      reject: 'REJECTED',
      fail: 'FAILED',
      expire: 'FAILED',
    },
    APPROVED: {},
    REJECTED: {},
    FAILED: {},
  },
  refusals: {
    approve: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
    reject: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
  },
})
