import { defineMachine } from '../../kernel/machine.ts'

export const DEPOSIT_STATUSES = [
  'PENDING',
  'DROPPED',
  'UNATTRIBUTED',
  'HELD',
  'TAKEN',
  'RETURNING',
  'RETURNED',
] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]
export type DepositEvent = 'drop' | 'attribute' | 'hold' | 'release' | 'order' | 'return'

/**
 * Money from outside, as the operator sees it. Most deposits start TAKEN: credited, or spent on the quote that waited for
 * them. RETURNING deposits came too late for their quote, or a provider was asked to send them back. PENDING deposits have no money yet: when a
 * provider reports them as received, they find their place like any other; what never came is DROPPED (PROV-81).
 */
export const deposit = defineMachine<DepositStatus, DepositEvent>({
  name: 'deposit',
  initial: 'UNATTRIBUTED',
  alsoInitial: ['PENDING', 'HELD', 'TAKEN', 'RETURNING', 'RETURNED'],
  table: {
    PENDING: { drop: 'DROPPED' },
    DROPPED: {},
    UNATTRIBUTED: { attribute: 'TAKEN', hold: 'HELD', order: 'RETURNING', return: 'RETURNED' },
    HELD: { release: 'TAKEN', order: 'RETURNING', return: 'RETURNED' },
    RETURNING: { order: 'RETURNING', return: 'RETURNED' },
    TAKEN: {},
    RETURNED: {},
  },
})
