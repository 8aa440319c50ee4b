import { defineMachine } from '../../kernel/machine.ts'

export const INVITATION_STATUSES = ['PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED'] as const
export type InvitationStatus = (typeof INVITATION_STATUSES)[number]
export type InvitationEvent = 'claim' | 'cancel' | 'expire'

export const invitation = defineMachine<InvitationStatus, InvitationEvent>({
  name: 'invitation',
  initial: 'PENDING',
  table: {
    PENDING: { claim: 'CLAIMED', cancel: 'CANCELLED', expire: 'EXPIRED' },
    CLAIMED: {},
    EXPIRED: {},
    CANCELLED: {},
  },
})
