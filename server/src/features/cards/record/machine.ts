import { defineMachine } from '../../../kernel/machine.ts'

export const CARD_STATES = ['PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED'] as const
export type CardState = (typeof CARD_STATES)[number]

/** A card is never PENDING_KYC, because only a verified customer gets one. */
export type LiveCardState = Exclude<CardState, 'PENDING_KYC'>

export type CardEvent =
  | 'provision'
  | 'reject'
  | 'freeze'
  | 'unfreeze'
  | 'close'
  | 'withdraw'
  | 'expire'

/** The platform sends `close`; the service sends `withdraw` when the cardholder is deleted or the operator closes it. */
export const cardMachine = defineMachine<LiveCardState, CardEvent>({
  name: 'card',
  initial: 'PROCESSING',
  table: {
    PROCESSING: { provision: 'ACTIVE', reject: 'CLOSED', withdraw: 'CLOSED' },
    ACTIVE: { freeze: 'FROZEN', close: 'CLOSED', withdraw: 'CLOSED', expire: 'CLOSED' },
    FROZEN: { unfreeze: 'ACTIVE', close: 'CLOSED', withdraw: 'CLOSED', expire: 'CLOSED' },
    CLOSED: {},
  },
  refusals: { withdraw: 'CARD_ALREADY_CLOSED' },
})
