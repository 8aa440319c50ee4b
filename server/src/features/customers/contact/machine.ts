import { defineMachine } from '../../../kernel/machine.ts'
import type { ChannelStatus } from './channel.ts'

/** A contact channel that the customer's region wants verified. */
export const contactChannel = defineMachine<ChannelStatus, 'confirm' | 'changeValue'>({
  name: 'contact channel',
  initial: 'PENDING',
  table: {
    PENDING: { confirm: 'VERIFIED', changeValue: 'PENDING' },
    VERIFIED: { changeValue: 'PENDING' },
  },
  refusals: { confirm: 'CONFLICT' },
})
