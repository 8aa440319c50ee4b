import { defineMachine } from '../../../kernel/machine.ts'
import type { ExternalAccountStatus } from '../ownership/rules.ts'

export type ExternalAccountEvent =
  | 'clear'
  | 'hit'
  | 'block'
  | 'activate'
  | 'review'
  | 'deactivate'
  | 'challenge'
  | 'prove'
  | 'failProof'
  | 'spend'

/**
 * `clear`, `hit` and `block` are results of screening; `activate`, `review` and `deactivate` are the operator's, who may also
 * screen by hand; `spend` is the first completed payment to an invoice (EACC-18; chapter 30, section 3).
 */
export const externalAccount = defineMachine<ExternalAccountStatus, ExternalAccountEvent>({
  name: 'external account',
  initial: 'ACTIVE',
  alsoInitial: ['PENDING', 'PENDING_OWNERSHIP_VERIFICATION'],
  table: {
    PENDING: {
      clear: 'ACTIVE',
      hit: 'UNDER_REVIEW',
      block: 'INACTIVE',
      activate: 'ACTIVE',
      review: 'UNDER_REVIEW',
    },
    ACTIVE: {
      hit: 'UNDER_REVIEW',
      block: 'INACTIVE',
      review: 'UNDER_REVIEW',
      deactivate: 'INACTIVE',
      spend: 'INACTIVE',
    },
    UNDER_REVIEW: {
      hit: 'UNDER_REVIEW',
      block: 'INACTIVE',
      activate: 'ACTIVE',
      deactivate: 'INACTIVE',
      spend: 'INACTIVE',
    },
    INACTIVE: { activate: 'ACTIVE', review: 'UNDER_REVIEW' },
    PENDING_OWNERSHIP_VERIFICATION: {
      challenge: 'PENDING_OWNERSHIP_VERIFICATION',
      prove: 'ACTIVE',
      failProof: 'UNVERIFIED',
      hit: 'UNDER_REVIEW',
      block: 'INACTIVE',
    },
    UNVERIFIED: {
      challenge: 'PENDING_OWNERSHIP_VERIFICATION',
      hit: 'UNDER_REVIEW',
      block: 'INACTIVE',
    },
  },
  refusals: {
    activate: 'CONFLICT',
    review: 'CONFLICT',
    deactivate: 'CONFLICT',
    challenge: 'CONFLICT',
  },
})
