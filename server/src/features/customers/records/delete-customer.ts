import { fail } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { DeletionObstacle } from '../../../infra/internal-events.ts'
import type { Work } from '../../../infra/work.ts'
import type { Customer } from '../customer.ts'
import { listAsDeleted } from '../currencies/index-store.ts'
import { lockCustomerRow, markDeleted } from './store.ts'

/** In the order in which they are named. */
const REASONS: readonly DeletionObstacle['reason'][] = [
  'BALANCE',
  'PAYMENT_UNDER_WAY',
  'REFUND_FAILED',
  'CARD_AUTHORIZATION_OPEN',
  'STABLECOIN_OPERATION_OPEN',
]

/**
 * Deletes a customer for good; what happened with it stays readable. Whatever only it could use ends by reaction, in
 * the same transaction (CUST-63). Refused while any of its money is not at rest: first everything that could move it is
 * locked, then it is looked at (CUST-62).
 * Fails: USER_NOT_FOUND, CUSTOMER_DELETED, CONFLICT.
 */
export async function deleteCustomer(work: Work, id: Id<'customer'>): Promise<Customer> {
  const { tx, platform, now } = work
  const before = await lockCustomerRow(tx, platform.id, id, { isDeleting: true })
  if (!before) return failNotFound('customer')
  if (before.isDeleted) fail('CUSTOMER_DELETED')
  const obstacles: DeletionObstacle[] = []
  await work.react('customers.deletionAsked', { customerId: id, obstacles })
  if (obstacles.length > 0) fail('CONFLICT', detailsOf(obstacles))
  await work.react('customers.deleting', { customerId: id })
  const customer: Customer = { ...before, isDeleted: true, updatedAt: now }
  markDeleted(tx, platform.id, customer)
  listAsDeleted(tx, platform.id, customer)
  return customer
}

function detailsOf(obstacles: readonly DeletionObstacle[]) {
  const found = new Set(obstacles.map(({ reason }) => reason))
  const reasons = REASONS.filter((reason) => found.has(reason))
  const ids: Record<string, string[]> = {}
  for (const { reason: _, ...named } of obstacles) {
    for (const [name, more] of Object.entries(named)) ids[name] = [...(ids[name] ?? []), ...more]
  }
  return { reason: reasons[0], reasons, ...ids }
}
