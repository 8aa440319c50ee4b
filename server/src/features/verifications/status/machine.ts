import { defineMachine } from '../../../kernel/machine.ts'

export const OPEN_STATUSES = ['RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW'] as const

export type OpenStatus = (typeof OPEN_STATUSES)[number]

/** The statuses a verification can have; READY_FOR_VERIFICATION is named by the interface and never produced. */
export type VerificationStatus = OpenStatus | 'APPROVED' | 'REJECTED'

export type VerificationEvent =
  /** A submission that is not complete, a reviewer who asks for more, or an owner who lacks something (KYB-11). */
  | 'findErrors'
  | 'accept'
  | 'escalate'
  | 'approve'
  | 'reject'
  | 'return'
  /** What the operator decides about a customer on hold, or about owners who lack something. */
  | 'closeAsApproved'
  | 'closeAsRejected'
  /** A hold ends, or nothing is wrong with the owners any more. */
  | 'resume'

/** A final verification never moves again; a later look at the owners opens another (chapter 11, section 6). */
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
