import { defineMachine } from '../../../kernel/machine.ts'

export const CUSTOMER_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const
export type CustomerType = (typeof CUSTOMER_TYPES)[number]

/** `kycStatus` of an individual, `kybStatus` of a business. */
export const CUSTOMER_STATUSES = ['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'] as const
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number]

export type StatusEvent =
  | 'submit'
  | 'approve'
  | 'reject'
  | 'return'
  | 'hold'
  | 'releaseAsApproved'
  | 'releaseAsPending'

/** `kycStatus` and `kybStatus` (chapter 11, section 6). rules.ts decides the first status. */
export const customerStatus = defineMachine<CustomerStatus, StatusEvent>({
  name: 'customer status',
  initial: 'UNVERIFIED',
  alsoInitial: ['PENDING', 'APPROVED', 'REJECTED'],
  table: {
    UNVERIFIED: { submit: 'PENDING' },
    PENDING: { approve: 'APPROVED', reject: 'REJECTED', return: 'UNVERIFIED', hold: 'HOLD' },
    APPROVED: { hold: 'HOLD' },
    REJECTED: {},
    HOLD: {
      submit: 'PENDING',
      approve: 'APPROVED',
      reject: 'REJECTED',
      releaseAsApproved: 'APPROVED',
      releaseAsPending: 'PENDING',
    },
  },
})
