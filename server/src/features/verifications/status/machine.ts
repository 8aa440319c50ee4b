import { defineMachine } from '../../../kernel/machine.ts'

export const OPEN_STATUSES = ['RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW'] as const

export type OpenStatus = (typeof OPEN_STATUSES)[number]

/** The interface also has READY_FOR_VERIFICATION, which the service never uses. */
export type VerificationStatus = OpenStatus | 'APPROVED' | 'REJECTED'

export type VerificationEvent =
  /** An incomplete submission or owner, or a reviewer's request (KYB-11). */
  | 'findErrors'
  | 'accept'
  | 'escalate'
  | 'approve'
  | 'reject'
  | 'return'
  /** The operator's decision on a customer on hold, or on incomplete owners. */
  | 'closeAsApproved'
  | 'closeAsRejected'
  /** A hold ends, or the owners are complete. */
  | 'resume'

/** A decided verification never moves again; a later owner review is another (chapter 11, section 6). */
export const verification = defineMachine<VerificationStatus, VerificationEvent>({
  name: 'verification',
  initial: 'RESOLVE_ERRORS',
  alsoInitial: ['IN_PROGRESS', 'PENDING_MANUAL_REVIEW'],
  table: {
    RESOLVE_ERRORS: {
      findErrors: 'RESOLVE_ERRORS',
      accept: 'IN_PROGRESS',
      closeAsApproved: 'APPROVED',
      closeAsRejected: 'REJECTED',
      resume: 'PENDING_MANUAL_REVIEW',
    },
    IN_PROGRESS: {
      escalate: 'PENDING_MANUAL_REVIEW',
      approve: 'APPROVED',
      reject: 'REJECTED',
      return: 'RESOLVE_ERRORS',
    },
    PENDING_MANUAL_REVIEW: {
      approve: 'APPROVED',
      reject: 'REJECTED',
      return: 'RESOLVE_ERRORS',
      findErrors: 'RESOLVE_ERRORS',
    },
    APPROVED: {},
    REJECTED: {},
  },
})

export const isUnderReview = (status: VerificationStatus): boolean =>
  status === 'IN_PROGRESS' || status === 'PENDING_MANUAL_REVIEW'
