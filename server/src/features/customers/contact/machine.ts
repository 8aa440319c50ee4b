import { defineMachine } from '../../../kernel/machine.ts'

export type Channel = 'email' | 'phone'

export const CHANNEL_STATUSES = ['PENDING', 'VERIFIED'] as const
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number]

/** A contact channel that the customer's region requires to be verified. */
export const contactChannel = defineMachine<ChannelStatus, 'confirm' | 'changeValue'>({
  name: 'contact channel',
  initial: 'PENDING',
  table: {
    PENDING: { confirm: 'VERIFIED', changeValue: 'PENDING' },
    VERIFIED: { changeValue: 'PENDING' },
  },
  refusals: { confirm: 'CONFLICT' },
})
