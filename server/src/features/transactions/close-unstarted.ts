import { advance } from '../../kernel/machine.ts'
import { incoming, outgoing } from './machine.ts'
import type { Transaction } from './transaction.ts'

/**
 * Ends a payment of which nothing was begun, because whoever had to decide on it said no, or nothing. No money moved,
 * and whoever is told of payments made the decision: there is no event.
 */
export function closeUnstarted(
  transaction: Transaction,
  event: 'reject' | 'expire',
  now: Date,
): Transaction {
  return transaction.type === 'INCOMING'
    ? { ...transaction, status: advance(incoming, transaction.status, event), updatedAt: now }
    : { ...transaction, status: advance(outgoing, transaction.status, event), updatedAt: now }
}
