import { defineMachine } from '../../../kernel/machine.ts'
import type { ActionStatus } from './action.ts'

export type ActionEvent = 'approve' | 'reject' | 'fail' | 'expire'

/** An action that needs no approval starts APPROVED, or FAILED if its quote could not be executed. */
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
